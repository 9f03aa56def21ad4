import { DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { longDate } from '#src/lib/dates.ts';
import { paths } from '#src/site.ts';
import { listAdminPosts, type AdminPost } from '#src/features/posts/editing.api.ts';
import { useAnswer } from './useAnswer.ts';

const COLUMNS: Column<AdminPost>[] = [
	{
		key: 'title',
		label: 'Title',
		cell: (post) =>
			post.published ? (
				<a className="link" href={paths.post(post.slug)}>
					{post.title}
				</a>
			) : (
				post.title
			),
	},
	{ key: 'category', label: 'Category', wide: true, cell: ({ category }) => category.name },
	{
		key: 'state',
		label: 'State',
		cell: ({ state }) => state,
	},
	{
		key: 'publishedAt',
		label: 'Published',
		end: true,
		cell: ({ publishedAt }) => (publishedAt ? longDate(publishedAt) : '—'),
	},
];

/** All posts, drafts included. */
export function PostList() {
	const { answer, ...state } = useAnswer(listAdminPosts, {});
	const page = answer && { ...answer, rows: answer.posts, pageSize: answer.posts.length };
	return (
		<DataTable
			{...state}
			label="Posts"
			columns={COLUMNS}
			page={page}
			onRetry={state.reload}
			onPage={() => {}}
			idOf={({ id }) => id}
			empty={<p>There are no posts yet.</p>}
		/>
	);
}
