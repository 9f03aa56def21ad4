import type { Category } from '#src/features/categories/category.ts';
import { minutesOf, type PostForm, UNTITLED } from '#src/features/posts/editing.ts';
import { PreviewArticle } from '#src/features/posts/PreviewArticle.tsx';
import { LivePreview } from './LivePreview.tsx';

type Props = {
	form: PostForm;
	/** Whose it is where the form names nobody. */
	author: string;
	categories: readonly Category[];
	/** Shows the saved draft in a tab of its own. */
	onOpen: () => void;
};

/** The page of the article that is being written. */
export function ArticlePreview({ form, author, categories, onOpen }: Props) {
	return (
		<LivePreview title="The article as its page" content={form.content} onOpen={onOpen}>
			{(rendered) => (
				<PreviewArticle
					preview={{
						...form,
						...rendered,
						title: form.title || UNTITLED,
						author: form.author || author,
						category: categories.find(({ id }) => id === form.categoryId) ?? null,
						readTime: minutesOf(form),
						publishedAt: form.publishedAt || null,
					}}
				/>
			)}
		</LivePreview>
	);
}
