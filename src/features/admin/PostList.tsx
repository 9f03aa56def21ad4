import { DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { longDate } from '#src/lib/dates.ts';
import { paths } from '#src/site.ts';
import { listAllPosts, type AdminPost } from './admin.api.ts';
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
	{ key: 'category', label: 'Category', wide: true, cell: ({ category }) => category },
	{
		key: 'state',
		label: 'State',
		cell: ({ published }) => (published ? 'Published' : 'Draft'),
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
	const { answer, ...state } = useAnswer(listAllPosts, {});
	const page = answer && { rows: answer, total: answer.length, page: 1, pageSize: answer.length };
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
