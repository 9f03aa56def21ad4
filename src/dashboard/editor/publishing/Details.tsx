import { type ReactNode, useId, useState } from 'react';
import { Field } from '#src/components/ui/Field.tsx';
import type { Category } from '#src/features/categories/category.ts';
import { POST_FIELDS } from '#src/features/posts/fields.ts';
import { FIRST_FIGURE } from '#src/features/posts/picture.ts';
import {
	minutesOf,
	POST_LIMITS,
	type PostForm,
	slugOf,
	tagKey,
} from '#src/features/posts/editing.ts';
import { plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { CategoryField } from './CategoryField.tsx';
import { Checklist } from './Checklist.tsx';
import { type Advice, DESCRIPTION, TITLE } from './checklist.ts';
import { FeaturedImage } from './FeaturedImage.tsx';
import { Fold } from '#src/dashboard/kit/Fold.tsx';
import { RelatedField } from './RelatedField.tsx';
import { fromLocal, toLocal } from '#src/dashboard/kit/times.ts';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { listStoredAuthors } from '#src/features/taxonomy/taxonomy.api.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { completeTags } from '#src/features/posts/editing.api.ts';
import { Chooser } from './Chooser.tsx';

type Props = {
	form: PostForm;
	categories: readonly Category[];
	advice: readonly Advice[];
	/** The server's messages by field. */
	errors: Readonly<Record<string, string>>;
	onEdit: (changes: Partial<PostForm>) => void;
	onCategory: (made: Category) => void;
	/** Stands above the fields. */
	children?: ReactNode;
};

/** All of a post but its title, excerpt and text. */
export function Details({ form, categories, advice, errors, onEdit, onCategory, children }: Props) {
	const error = (name: keyof PostForm) => (errors[name] ? { error: errors[name] } : {});
	const isRefused = (...names: (keyof PostForm)[]) => names.some((name) => name in errors);
	const category = categories.find(({ id }) => id === form.categoryId)?.name ?? 'No category';
	const tags = form.tags.length > 0 ? `, ${plural(form.tags.length, 'tag')}` : '';
	return (
		<div className="editor-side">
			{children}
			<Fold name="Post" note={category + tags}>
				<CategoryField
					value={form.categoryId}
					categories={categories}
					error={errors['categoryId']}
					onChange={(categoryId) => onEdit({ categoryId })}
					onCreated={onCategory}
				/>
				<TagField tags={form.tags} onChange={(tags) => onEdit({ tags })} />
				<RelatedField
					value={form.related}
					own={slugOf(form)}
					error={errors['related']}
					onChange={(related) => onEdit({ related })}
				/>
				<Field
					label="Address"
					value={form.slug}
					maxLength={POST_LIMITS.slug}
					placeholder={slugOf(form)}
					hint={paths.post(slugOf(form))}
					spellCheck={false}
					onChange={(event) => onEdit({ slug: event.currentTarget.value })}
					{...error('slug')}
				/>
				<div className="field">
					<label htmlFor="published-at">Date</label>
					<input
						id="published-at"
						type="datetime-local"
						value={toLocal(form.publishedAt)}
						onChange={(event) => onEdit({ publishedAt: fromLocal(event.currentTarget.value) })}
					/>
					<span className="field-hint">
						{form.publishedAt === ''
							? 'Empty: the moment when it is published.'
							: 'A time that lies ahead schedules it.'}
					</span>
					{errors['publishedAt'] && <span className="field-error">{errors['publishedAt']}</span>}
				</div>
				<label className="check">
					<input
						type="checkbox"
						checked={form.featured}
						onChange={(event) => onEdit({ featured: event.currentTarget.checked })}
					/>
					Featured on the home page
				</label>
			</Fold>
			<FeaturedImage form={form} onEdit={onEdit} error={errors['featuredImage']} />
			<Fold
				name="Search and sharing"
				isSeldom
				note={form.metaTitle || form.metaDescription ? 'own words' : undefined}
				isNeeded={isRefused('metaTitle', 'metaDescription', 'searchedAs')}
			>
				<Field
					label="Search title"
					value={form.metaTitle}
					maxLength={POST_LIMITS.title}
					placeholder={form.title}
					hint={counted(form.metaTitle || form.title, TITLE.max)}
					onChange={(event) => onEdit({ metaTitle: event.currentTarget.value })}
					{...error('metaTitle')}
				/>
				<Field
					type="textarea"
					label="Search description"
					rows={3}
					value={form.metaDescription}
					maxLength={POST_LIMITS.excerpt}
					placeholder={form.excerpt}
					hint={counted(form.metaDescription || form.excerpt, DESCRIPTION.max)}
					onChange={(event) => onEdit({ metaDescription: event.currentTarget.value })}
					{...error('metaDescription')}
				/>
				<Field
					type="textarea"
					label="Also searched as"
					rows={3}
					value={form.searchedAs}
					maxLength={POST_FIELDS.searchedAs.limit}
					hint="What readers may type who do not know the article's words, such as everyday names or abbreviations, separated by commas. Search finds it by them; no page shows them."
					onChange={(event) => onEdit({ searchedAs: event.currentTarget.value })}
					{...error('searchedAs')}
				/>
				<Previews form={form} />
			</Fold>
			<Fold
				name="Upkeep"
				isSeldom
				note={form.staleAfter.slice(0, 10) || undefined}
				isNeeded={isRefused('questions', 'staleAfter')}
			>
				<Field
					type="textarea"
					label="Questions of readers"
					rows={4}
					value={form.questions}
					maxLength={3000}
					hint="One a line: the question, then its answer. They stand below the article. Without any, three are made of its headings and figures."
					onChange={(event) => onEdit({ questions: event.currentTarget.value })}
					{...error('questions')}
				/>
				<Field
					label="Stale after"
					value={form.staleAfter}
					maxLength={200}
					placeholder="2027-03-01 prices as of November 2026"
					hint="A day, and what in the article may no longer be true after it. From that day on it is due for review."
					onChange={(event) => onEdit({ staleAfter: event.currentTarget.value })}
					{...error('staleAfter')}
				/>
			</Fold>
			<Fold
				name="Byline"
				isSeldom
				note={form.author || undefined}
				isNeeded={isRefused('author', 'readTime')}
			>
				<AuthorField
					value={form.author}
					error={errors['author']}
					onChange={(author) => onEdit({ author })}
				/>
				<div className="field">
					<label htmlFor="read-time">Minutes to read</label>
					<input
						id="read-time"
						type="number"
						min={1}
						value={form.readTime ?? ''}
						placeholder={String(minutesOf({ ...form, readTime: null }))}
						onChange={(event) => {
							const minutes = Math.floor(event.currentTarget.valueAsNumber);
							onEdit({ readTime: minutes >= 1 ? minutes : null });
						}}
					/>
					<span className="field-hint">Empty: counted from the words.</span>
				</div>
			</Fold>
			<Fold
				name="Before publishing"
				note={advice.length > 0 ? plural(advice.length, 'note') : undefined}
			>
				<Checklist advice={advice} />
			</Fold>
		</div>
	);
}

function counted(text: string, best: number): string {
	const { length } = text.trim();
	return `${length} characters; up to ${best} are shown.`;
}

/** How a search engine and a social network will show it. */
function Previews({ form }: { form: PostForm }) {
	const title = form.metaTitle || form.title || 'Title';
	const description = form.metaDescription || form.excerpt || 'The description stands here.';
	const address = location.host + paths.post(slugOf(form));
	return (
		<div className="previews">
			<figure className="search-preview">
				<figcaption className="label">Search result</figcaption>
				<p className="search-address">{address}</p>
				<p className="search-title">{title}</p>
				<p className="search-text">{description}</p>
			</figure>
			<figure className="social-preview">
				<figcaption className="label">Social card</figcaption>
				<div>
					{form.featuredImage && form.featuredImage !== FIRST_FIGURE ? (
						<img src={form.featuredImage} alt="" />
					) : (
						<p className="social-art" aria-hidden="true">
							{form.title || 'Title'}
						</p>
					)}
					<p className="label">{location.host}</p>
					<p className="search-title">{title}</p>
				</div>
			</figure>
		</div>
	);
}

type AuthorFieldProps = {
	value: string;
	error: string | undefined;
	onChange: (author: string) => void;
};

/** The byline: the name of an author with a page, any other name, or empty for the site's own. */
export function AuthorField({ value, error, onChange }: AuthorFieldProps) {
	const id = useId();
	const [isAsked, setAsked] = useState(false);
	const {
		data,
		error: failure,
		reload,
	} = useAsync(isAsked ? 'authors' : null, () => callAsAdmin(listStoredAuthors, {}));
	const known = data?.find(({ name }) => name === value);
	return (
		<>
			<Field
				label="Author"
				list={id}
				value={value}
				maxLength={100}
				autoComplete="off"
				placeholder="The site’s own byline"
				error={error}
				hint={known ? 'Leads to a page about this author.' : undefined}
				onFocus={() => setAsked(true)}
				onChange={(event) => onChange(event.currentTarget.value)}
			/>
			<datalist id={id}>
				{data?.map(({ id: key, name }) => (
					<option key={key} value={name} />
				))}
			</datalist>
			<LoadError what="Authors" error={failure} reload={reload} />
		</>
	);
}

type TagFieldProps = { tags: readonly string[]; onChange: (tags: string[]) => void };

/** Tags by name: what exists is offered while typing, Enter or a comma adds, Backspace takes the last off. */
export function TagField({ tags, onChange }: TagFieldProps) {
	const taken = new Set(tags.map(tagKey));
	return (
		<Chooser
			label="Tags"
			listLabel="Tags in use"
			placeholder={tags.length === 0 ? 'Add a tag' : ''}
			takesAny
			chosen={tags.map((tag) => ({ key: tag, label: tag }))}
			load={async (q) =>
				(await callAsAdmin(completeTags, { q })).map(({ name, posts }) => ({
					key: name,
					label: name,
					note: posts,
				}))
			}
			isTaken={({ key }) => taken.has(tagKey(key))}
			onAdd={(value) => {
				// Several at once where a list was pasted.
				const names = value.split(',').map((name) => name.replace(/\s+/g, ' ').trim());
				const added = names.filter((name) => name && !taken.has(tagKey(name)));
				const unique = [...Map.groupBy(added, tagKey).values()].map(([first]) => first!);
				if (unique.length > 0) onChange([...tags, ...unique]);
			}}
			onRemove={(tag) => onChange(tags.filter((other) => other !== tag))}
		/>
	);
}
