import { useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { drawCover } from '#src/features/covers/cover.ts';
import * as api from '#src/features/taxonomy/taxonomy.api.ts';
import {
	COVERS,
	judgeColor,
	NO_FAMILY,
	type StoredCategory,
	type TermKind,
} from '#src/features/taxonomy/term.ts';
import { DEFAULT_COLOR } from '#src/features/categories/category.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { slugify } from '#src/lib/slug.ts';
import { paths } from '#src/site.ts';

type Fields = { name: string; slug: string; description: string; color: string; cover: string };

const LABELS: Record<keyof Fields, string> = {
	name: 'Name',
	slug: 'Address',
	description: 'Description',
	color: 'Color',
	cover: 'Covers',
};

type Props = {
	kind: TermKind;
	/** The one to edit; none for a new one. */
	term: StoredCategory | undefined;
	onSaved: (title: string, undo: string | null) => void;
};

/** The form of a category or a tag. Where somebody else saved it meanwhile, it shows both and asks. */
export function TermForm({ kind, term, onSaved }: Props) {
	const [base, setBase] = useState(term);
	const [fields, setFields] = useState(fieldsOf(term));
	const [errors, setErrors] = useState<Record<string, string>>({});
	const [failure, setFailure] = useState('');
	const [stored, setStored] = useState<StoredCategory>();
	const [saving, setSaving] = useState(false);
	const isCategory = kind === 'category';
	const color = judgeColor(fields.color);
	/** Until somebody writes another one, the address is made of the name. */
	const follows = fields.slug === slugify(fields.name);

	const control = (name: keyof Fields) => ({
		label: LABELS[name],
		name,
		value: fields[name],
		error: errors[name],
		onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
			setFields({ ...fields, [name]: currentTarget.value }),
	});

	async function save(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (saving) return;
		const form = event.currentTarget;
		setSaving(true);
		setErrors({});
		setFailure('');
		try {
			const { color: _color, cover: _cover, ...words } = fields;
			const input = isCategory ? fields : words;
			const version = base?.version;
			if (!base) {
				const { name } = await callAsAdmin(isCategory ? api.createCategory : api.createTag, input);
				onSaved(`“${name}” created`, null);
				return;
			}
			const endpoint = isCategory ? api.updateCategory : api.updateTag;
			const { name, undo } = await callAsAdmin(endpoint, { ...input, id: base.id, version });
			onSaved(`“${name}” saved`, undo);
		} catch (problem) {
			const known = problem instanceof AppError ? problem : undefined;
			if (known?.stored) setStored(known.stored as StoredCategory);
			setErrors(known?.fields ?? {});
			if (!known?.fields) setFailure(messageOf(problem));
			const [first] = Object.keys(known?.fields ?? {});
			if (first) form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
		} finally {
			setSaving(false);
		}
	}

	/** Goes on from the stored version: with what is typed here, or with what is there. */
	function settle(next: Fields) {
		setBase(stored);
		setFields(next);
		setStored(undefined);
		setFailure('');
	}

	return (
		<form method="post" noValidate className="term-form" onSubmit={save}>
			<Field
				{...control('name')}
				required
				maxLength={100}
				autoComplete="off"
				onChange={({ currentTarget: { value: name } }) =>
					setFields({ ...fields, name, slug: follows ? slugify(name) : fields.slug })
				}
			/>
			<Field
				{...control('slug')}
				maxLength={100}
				autoComplete="off"
				hint={
					base && fields.slug !== base.slug
						? `${paths[kind](base.slug)} will lead there.`
						: 'Made of the name where it is empty.'
				}
			/>
			<Field
				{...control('description')}
				type="textarea"
				rows={3}
				maxLength={500}
				hint="On its page, in its feeds and in search results."
			/>
			{isCategory && (
				<>
					<div className="term-color">
						<Field {...control('color')} autoComplete="off" spellCheck={false} />
						<input
							type="color"
							aria-label="Pick a color"
							value={/^#[0-9a-f]{6}$/i.test(fields.color) ? fields.color : DEFAULT_COLOR}
							onChange={({ currentTarget }) => setFields({ ...fields, color: currentTarget.value })}
						/>
						<p className="term-verdict" role="status" data-bad={!color.passes || undefined}>
							{color.verdict}
						</p>
					</div>
					<Field
						{...control('cover')}
						type="select"
						options={COVERS.map((family) => ({ value: family, label: nameOf(family) }))}
						hint="What is drawn for its articles without a picture."
					/>
					<svg
						viewBox="0 0 1200 630"
						className="cover term-cover"
						style={{ ['--category' as string]: color.passes ? fields.color : undefined }}
						aria-hidden="true"
						// Drawn from these words alone, by our own pen.
						dangerouslySetInnerHTML={{ __html: drawCover('a-sample', fields.cover, 'card') }}
					/>
				</>
			)}
			{stored && (
				<div role="alert" className="term-conflict">
					<p>{failure}</p>
					<ul>
						{differences(stored, fields, isCategory).map((name) => (
							<li key={name} className="break-words">
								{LABELS[name]} there: {fieldsOf(stored)[name] || 'empty'}
							</li>
						))}
					</ul>
					<p className="flex flex-wrap gap-3">
						<Button variant="quiet" onClick={() => settle(fieldsOf(stored))}>
							Take what is there
						</Button>
						<Button variant="quiet" onClick={() => settle(fields)}>
							Keep mine
						</Button>
					</p>
				</div>
			)}
			{failure && !stored && (
				<p role="alert" className="field-error">
					{failure}
				</p>
			)}
			<Button type="submit" busy={saving} disabled={stored !== undefined}>
				{saving ? 'Saving…' : base ? 'Save' : 'Create'}
			</Button>
		</form>
	);
}

function fieldsOf(term: StoredCategory | undefined): Fields {
	return {
		name: term?.name ?? '',
		slug: term?.slug ?? '',
		description: term?.description ?? '',
		color: term?.color ?? DEFAULT_COLOR,
		cover: term?.cover ?? NO_FAMILY,
	};
}

function differences(stored: StoredCategory, fields: Fields, isCategory: boolean) {
	const there = fieldsOf(stored);
	const names = Object.keys(LABELS) as (keyof Fields)[];
	return names.filter(
		(name) => there[name] !== fields[name] && (isCategory || !['color', 'cover'].includes(name)),
	);
}

function nameOf(family: string): string {
	const words = family.replaceAll('-', ' ');
	return words.charAt(0).toUpperCase() + words.slice(1);
}
