import { LoadError } from '#src/components/ui/LoadError.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import type { PostState } from '#src/core/posts/post-state.ts';
import { listAdminPosts, listChosen } from '#src/features/posts/editing.api.ts';
import { chosenSlugs, MAX_CHOSEN } from '#src/features/posts/related.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { Chooser } from './Chooser.tsx';

type Props = {
	/** Slugs, separated by commas. */
	value: string;
	/** Slug of the article itself. */
	own: string;
	error: string | undefined;
	onChange: (value: string) => void;
};

/** Why readers are not shown an article, by its state. */
const HIDDEN: Partial<Record<PostState, string>> = {
	draft: 'is a draft',
	scheduled: 'is scheduled',
	unpublished: 'is not published',
	deleted: 'was deleted',
};

/** The articles that come first under “Related”, chosen by their titles. Says which of them readers are not shown. */
export function RelatedField({ value, own, error, onChange }: Props) {
	const slugs = chosenSlugs(value);
	const key = slugs.join(', ');
	const {
		data,
		error: failure,
		reload,
	} = useAsync(key || null, () => callAsAdmin(listChosen, { slugs: key }));
	const known = new Map(data?.posts.map((post) => [post.given, post]));
	const change = (next: readonly string[]) => onChange(next.join(', '));
	const hidden = slugs.flatMap((slug) => {
		const post = known.get(slug);
		if (slug === own || post?.slug === own) return `“${post?.title ?? slug}” is this article.`;
		if (!post) return data?.asked === key ? `No article has the address “${slug}”.` : [];
		const reason = HIDDEN[post.state];
		return reason ? `“${post.title}” ${reason}.` : [];
	});
	return (
		<Chooser
			label="Related articles"
			listLabel="Articles"
			placeholder={slugs.length === 0 ? 'Title of an article' : ''}
			chosen={slugs.map((slug) => ({ key: slug, label: known.get(slug)?.title ?? slug }))}
			load={async (q) => {
				const { rows } = await callAsAdmin(listAdminPosts, { q, pageSize: 8 });
				return rows.map(({ slug, title, state }) => ({
					key: slug,
					label: title,
					...(state !== 'published' && { note: state }),
				}));
			}}
			isTaken={({ key: slug }) =>
				slug === own || slugs.includes(slug) || slugs.length >= MAX_CHOSEN
			}
			onAdd={(text) => {
				const [slug] = chosenSlugs(text);
				if (slug && !slugs.includes(slug)) change([...slugs, slug]);
			}}
			onRemove={(slug) => change(slugs.filter((other) => other !== slug))}
		>
			<span className="field-hint">
				Up to three that come first below the text. What is left is filled by tags and meaning.
			</span>
			{hidden.length > 0 && (
				<span className="field-hint" role="status">
					Not shown to readers: {hidden.join(' ')}
				</span>
			)}
			<LoadError what="Titles of the articles" error={failure} reload={reload} />
			{error && <span className="field-error">{error}</span>}
		</Chooser>
	);
}
