import { useId, useRef, useState } from 'react';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { listAdminPosts } from '#src/features/posts/editing.api.ts';
import type { StoredSeries } from '#src/features/taxonomy/term.ts';
import { useAsync } from '#src/lib/useAsync.ts';

type Articles = StoredSeries['articles'];
type Props = { articles: Articles; error: string | undefined; onChange: (next: Articles) => void };

const SEARCH_MS = 150;
const FOUND = 6;

/** The articles of a series: found by title, moved and taken out. */
export function ArticlesField({ articles, error, onChange }: Props) {
	const id = useId();
	const search = useRef<HTMLInputElement>(null);
	const [q, setQ] = useState('');
	const wanted = q.trim();
	const posts = useAsync(
		wanted || null,
		() => callAsAdmin(listAdminPosts, { q: wanted, pageSize: FOUND + articles.length }),
		SEARCH_MS,
	);
	const has = new Set(articles.map((one) => one.id));
	const found = (wanted ? (posts.data?.rows ?? []) : [])
		.filter((post) => !has.has(post.id))
		.slice(0, FOUND);

	function move(from: number, to: number) {
		onChange(articles.toSpliced(from, 1).toSpliced(to, 0, articles[from]!));
	}

	return (
		<fieldset className="term-articles">
			<legend>Articles, in order</legend>
			<FieldError>{error}</FieldError>
			{articles.length === 0 && (
				<p className="text-muted">None yet. Without a published article the series has no page.</p>
			)}
			<ol>
				{articles.map(({ id, title, isPublic }, index) => (
					<li key={id}>
						<span className="break-words">
							{title || 'Untitled'}
							{!isPublic && <span className="label"> not public</span>}
						</span>
						<span className="row-actions">
							{[-1, 1].map((step) => (
								<button
									key={step}
									type="button"
									aria-label={`Move ${title} ${step < 0 ? 'up' : 'down'}`}
									disabled={articles[index + step] === undefined}
									onClick={() => move(index, index + step)}
								>
									<span aria-hidden="true">{step < 0 ? '↑' : '↓'}</span>
								</button>
							))}
							<button
								type="button"
								className="text-danger"
								aria-label={`Take ${title} out`}
								onClick={() => {
									onChange(articles.toSpliced(index, 1));
									search.current?.focus();
								}}
							>
								<span aria-hidden="true">×</span>
							</button>
						</span>
					</li>
				))}
			</ol>
			<div className="field">
				<label htmlFor={id}>Add an article</label>
				<input
					ref={search}
					id={id}
					type="text"
					autoComplete="off"
					placeholder="Words of its title"
					value={q}
					onChange={({ currentTarget }) => setQ(currentTarget.value)}
					onKeyDown={(event) => {
						// The form is sent by its button alone while an article is searched for.
						if (event.key === 'Enter' && wanted) event.preventDefault();
					}}
				/>
			</div>
			<ul aria-label="Found articles" aria-busy={posts.loading}>
				{found.map((post) => (
					<li key={post.id}>
						<span className="break-words">
							{post.title || 'Untitled'}
							{post.state !== 'published' && <span className="label"> {post.state}</span>}
						</span>
						<button
							type="button"
							className="link"
							onClick={() => {
								const { id, title, state } = post;
								onChange([...articles, { id, title, isPublic: state === 'published' }]);
								setQ('');
								search.current?.focus();
							}}
						>
							Add<span className="sr-only"> {post.title}</span>
						</button>
					</li>
				))}
			</ul>
			<p role="status" className="field-hint">
				{wanted &&
					!posts.loading &&
					posts.error === undefined &&
					found.length === 0 &&
					'No other article has these words.'}
			</p>
			<LoadError what="Articles" error={posts.error} reload={posts.reload} />
		</fieldset>
	);
}
