import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { type Kind, kindOf, listField, textField } from '#src/core/records/record.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import * as api from '#src/features/taxonomy/taxonomy.api.ts';
import {
	checkContrast,
	type StoredAuthor,
	type StoredCategory,
	type StoredSeries,
	type Term,
	type TermKind,
} from '#src/features/taxonomy/term.ts';
import { DEFAULT_COLOR } from '#src/features/categories/category.ts';
import { AppError } from '#src/lib/errors.ts';
import { slugify } from '#src/lib/slug.ts';
import { joinWithAnd } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { inputsOf } from '#src/dashboard/records/inputs.tsx';
import { LinkFields } from '#src/dashboard/site/LinkFields.tsx';
import { ArticlesField } from './ArticlesField.tsx';
import { PicturePicker } from '#src/dashboard/media/PicturePicker.tsx';

type Texts = { name: string; slug: string; description: string; color: string };
type Fields = Texts & Pick<StoredSeries, 'articles'> & Pick<StoredAuthor, 'picture' | 'links'>;
/** A term of any kind. */
type Stored = Term & Partial<StoredCategory & StoredSeries & StoredAuthor>;

const WORDS = {
	name: textField('Name'),
	slug: textField('Address'),
	description: textField('Description'),
};
const ARTICLES = listField('Articles', (articles: Fields['articles']) =>
	articles.map(({ title }) => title).join(', '),
);
const LINKS = listField('Links', (links: Fields['links']) =>
	links.map(({ label, href }) => `${label}: ${href}`).join(', '),
);
const KINDS = {
	category: kindOf({ ...WORDS, color: textField('Color') }),
	tag: kindOf(WORDS),
	series: kindOf({ ...WORDS, articles: { ...ARTICLES, isComparedAsText: true } }),
	author: kindOf({ ...WORDS, picture: textField('Picture'), links: LINKS }),
} as unknown as Record<TermKind, Kind<Fields>>;
const ENDPOINTS = {
	category: { create: api.createCategory, update: api.updateCategory },
	tag: { create: api.createTag, update: api.updateTag },
	series: { create: api.createSeries, update: api.updateSeries },
	author: { create: api.createAuthor, update: api.updateAuthor },
};

const HINTS: Record<TermKind, string> = {
	category: 'On its page, in its feeds and in search results.',
	tag: 'On its page, in its feeds and in search results.',
	series: 'On its page and in search results.',
	author: 'Who it is, in a few sentences. On the page and in search results.',
};

type Props = {
	kind: TermKind;
	/** The one to edit; none for a new one. */
	term: Stored | undefined;
	onSaved: (title: string, undo: string | null) => void;
};

/**
 * The form of a category, a tag, a series or an author. What somebody else saved meanwhile is taken over; where both
 * changed the same, it asks.
 */
export function TermForm({ kind, term, onSaved }: Props) {
	const [base, setBase] = useState(term);
	const [fields, setFields] = useState(fieldsOf(term));
	const { busy: saving, errors, failure, send } = useSubmit();
	/** Fields that somebody else changed meanwhile as well, as they are there. */
	const [disputed, setDisputed] = useState<Partial<Fields>>({});
	const [notice, setNotice] = useState('');
	const isCategory = kind === 'category';
	const { labels, between, textOf, merge: mergeForms } = KINDS[kind];
	const color = checkContrast(fields.color);
	/** Until it is stored or somebody writes another one, the address is made of the name. */
	const follows = !base && fields.slug === slugify(fields.name);
	/** The address that a stored one would have by its new name. */
	const renamed = base && fields.name !== base.name ? slugify(fields.name) : '';

	const setForm = (changes: Partial<Fields>) => setFields({ ...fields, ...changes });
	const { text } = inputsOf(labels, { form: fields, errors, setForm });

	const save = send(async () => {
		setNotice('');
		await store(fields, base);
	});

	/** Stores what is typed. What somebody else stored meanwhile is merged, and asked about where both changed the same. */
	async function store(typed: Fields, from: Stored | undefined): Promise<void> {
		const { color, articles, picture, links, ...words } = typed;
		const input = {
			...words,
			...(kind === 'category' && { color }),
			...(kind === 'series' && { articles: articles.map(({ id }) => id) }),
			...(kind === 'author' && { picture, links }),
		};
		const { create, update } = ENDPOINTS[kind];
		if (!from) {
			const { name } = await callAsAdmin(create, input);
			return onSaved(`“${name}” created`, null);
		}
		try {
			const { id, version } = from;
			const { name, undo } = await callAsAdmin(update, { ...input, id, version });
			onSaved(`“${name}” saved`, undo);
		} catch (problem) {
			if (!(problem instanceof AppError && problem.stored)) throw problem;
			const stored = problem.stored as Stored;
			const merged = merge(typed, fieldsOf(from), stored);
			if (merged) await store(merged, stored);
		}
	}

	/** Goes on from what somebody else saved. Returns what is merged, or null where both changed the same. */
	function merge(mine: Fields, from: Fields, stored: Stored): Fields | null {
		const theirs = fieldsOf(stored);
		const { merged, disputed } = mergeForms(from, mine, theirs);
		const others = between(mine, merged).map((name) => labels[name]);
		setBase(stored);
		setFields(merged);
		if (disputed.length === 0) return merged;
		// Theirs has the places that I alone changed, too.
		const other = mergeForms(from, theirs, mine).merged;
		setDisputed(Object.fromEntries(disputed.map((name) => [name, other[name]])));
		setNotice(
			others.length > 0
				? `Changed elsewhere meanwhile and taken over here: ${joinWithAnd(others)}. Look at it and save again.`
				: 'This was changed elsewhere meanwhile. Look at it and save again.',
		);
		return null;
	}

	const asked = KINDS[kind].names.filter((name) => name in disputed);
	function settle(taken: Partial<Fields>) {
		setForm(taken);
		setDisputed({});
	}

	return (
		<form method="post" noValidate className="term-form" onSubmit={save}>
			{text('name', {
				required: true,
				maxLength: 100,
				onChange: ({ currentTarget: { value: name } }) =>
					setForm({ name, slug: follows ? slugify(name) : fields.slug }),
			})}
			{text('slug', {
				maxLength: 100,
				hint:
					base && fields.slug !== base.slug
						? `${paths[kind](base.slug)} will lead there.`
						: 'Made of the name where it is empty.',
			})}
			{base && renamed !== '' && renamed !== fields.slug && fields.slug === base.slug && (
				<p className="field-hint">
					The address stays as it is.{' '}
					<button type="button" className="link" onClick={() => setForm({ slug: renamed })}>
						Use {paths[kind](renamed)}
					</button>
				</p>
			)}
			{text('description', {
				rows: 3,
				maxLength: kind === 'author' ? 1000 : 500,
				hint: HINTS[kind],
			})}
			{kind === 'author' && (
				<>
					<PictureField
						picture={fields.picture}
						error={errors['picture']}
						onChange={(picture) => setForm({ picture })}
					/>
					<LinkFields
						name="links"
						label="Links"
						hint="A site of their own, profiles elsewhere."
						links={fields.links}
						errors={errors}
						onChange={(links) => setForm({ links })}
					/>
				</>
			)}
			{kind === 'series' && (
				<ArticlesField
					articles={fields.articles}
					error={errors['articles']}
					onChange={(articles) => setForm({ articles })}
				/>
			)}
			{isCategory && (
				<div className="term-color">
					{text('color', { spellCheck: false })}
					<input
						type="color"
						aria-label="Pick a color"
						value={/^#[0-9a-f]{6}$/i.test(fields.color) ? fields.color : DEFAULT_COLOR}
						onChange={({ currentTarget }) => setForm({ color: currentTarget.value })}
					/>
					<p className="term-verdict" role="status" data-bad={!color.passes || undefined}>
						{color.verdict}
					</p>
				</div>
			)}
			{notice && (
				<div role="alert" className="term-conflict">
					<p>{notice}</p>
					{asked.length > 0 && (
						<>
							<ul>
								{asked.map((name) => (
									<li key={name} className="break-words">
										{labels[name]} there: {textOf(disputed as Fields, name) || 'empty'}
									</li>
								))}
							</ul>
							<p className="flex flex-wrap gap-3">
								<Button variant="quiet" onClick={() => settle(disputed)}>
									Take what is there
								</Button>
								<Button variant="quiet" onClick={() => settle({})}>
									Keep mine
								</Button>
							</p>
						</>
					)}
				</div>
			)}
			<FieldError>{failure}</FieldError>
			<Button type="submit" busy={saving} disabled={asked.length > 0}>
				{saving ? 'Saving…' : base ? 'Save' : 'Create'}
			</Button>
		</form>
	);
}

function fieldsOf(term: Stored | undefined): Fields {
	return {
		name: term?.name ?? '',
		slug: term?.slug ?? '',
		description: term?.description ?? '',
		color: term?.color ?? DEFAULT_COLOR,
		articles: term?.articles ?? [],
		picture: term?.picture ?? '',
		links: term?.links ?? [],
	};
}

type PictureFieldProps = {
	picture: string;
	error: string | undefined;
	onChange: (picture: string) => void;
};

/** A picture of the library, chosen and taken away. */
function PictureField({ picture, error, onChange }: PictureFieldProps) {
	const [isPicking, setPicking] = useState(false);
	return (
		<div className="field">
			<span>Picture</span>
			<div className="term-picture">
				{picture && <img src={picture} alt="" width="96" height="96" />}
				<Button variant="quiet" onClick={() => setPicking(true)}>
					{picture ? 'Choose another picture' : 'Choose a picture'}
				</Button>
				{picture && (
					<Button variant="quiet" onClick={() => onChange('')}>
						Remove the picture
					</Button>
				)}
			</div>
			{error && (
				<span role="alert" className="field-error">
					{error}
				</span>
			)}
			<PicturePicker
				open={isPicking}
				onClose={() => setPicking(false)}
				onPick={({ url }) => {
					setPicking(false);
					onChange(url);
				}}
			/>
		</div>
	);
}
