import * as z from 'zod/mini';
import { limitOf, POST_LIMITS } from '#src/features/posts/editing.ts';
import { line, needed, neededLines } from '#src/lib/inputs.ts';
import { mergeFields } from '#src/lib/merge.ts';
import { slugify } from '#src/lib/slug.ts';
import { formatCount } from '#src/lib/text.ts';
import { textLength } from '#src/lib/text-length.ts';
import { builtIn, type Question, type Testimonial } from './page.ts';

/** The fields of a page as they are stored. */
export type PageForm = {
	title: string;
	slug: string;
	description: string;
	content: string;
	dated: string;
	published: boolean;
	footer: boolean;
	questions: Question[];
	testimonials: Testimonial[];
};
export type PageField = keyof PageForm;

/** The fields of a page, with their names on the screen. */
export const PAGE_FIELDS: Record<PageField, string> = {
	title: 'Title',
	slug: 'Address',
	description: 'Description',
	content: 'Text',
	dated: 'Last updated',
	published: 'Public',
	footer: 'Link in the footer',
	questions: 'Questions',
	testimonials: 'Testimonials',
};
export const FIELD_NAMES = Object.keys(PAGE_FIELDS) as PageField[];

const OF_TEXT: readonly PageField[] = ['title', 'description', 'content', 'dated'];
const OF_OWN: readonly PageField[] = [...OF_TEXT, 'slug', 'published', 'footer'];

/** Returns the fields of a page that can be edited. */
export function fieldsOf(slug: string): readonly PageField[] {
	const page = builtIn(slug);
	return page ? (page.lists ?? OF_TEXT) : OF_OWN;
}

const MAX_ITEMS = 100;
const list = <Item extends z.ZodMiniType>(item: Item) =>
	z.array(item).check(z.maxLength(MAX_ITEMS, `Use ${MAX_ITEMS} entries or fewer`));

/** Returns whether this is a day, or nothing. */
function isDayOrNone(given: string): boolean {
	if (given === '') return true;
	const date = new Date(`${given}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === given;
}

const shape = {
	title: needed(POST_LIMITS.title),
	slug: z.pipe(
		z.pipe(z.string(), z.transform(slugify)),
		z.string().check(z.maxLength(POST_LIMITS.slug, `Use ${POST_LIMITS.slug} characters or fewer`)),
	),
	description: line(POST_LIMITS.excerpt),
	content: z.string(),
	dated: z
		.string()
		.check(z.refine<string>(isDayOrNone, 'Use a day like 2026-05-31, or leave it empty.')),
	published: z.boolean(),
	footer: z.boolean(),
	questions: list(z.object({ question: needed(300), answer: neededLines(3000) })),
	testimonials: list(
		z.object({
			name: needed(100),
			role: line(200),
			content: neededLines(2000),
			rating: z.int('Use a number from 1 to 5.').check(z.gte(1), z.lte(5)),
			invented: z._default(z.boolean(), false),
		}),
	),
};

/** Changed fields of a page. Missing ones keep their values. */
export const pageChanges = z.partial(z.object(shape));
/** A new page. Its address follows its title where none is given. */
export const newPage = z.extend(pageChanges, { title: shape.title });

/** A page as the admin edits it. */
export type EditedPage = PageForm & {
	id: string;
	/** Where readers find it. */
	path: string;
	/** The page as a newer file has it, if that differs. */
	offer: PageForm | null;
	version: number;
	updatedAt: string;
};

/** A page in the list. */
export type PageRow = Pick<
	EditedPage,
	'slug' | 'title' | 'path' | 'published' | 'footer' | 'version' | 'updatedAt'
> & {
	questions: number;
	testimonials: number;
	/** Whether a newer file says something else. */
	offered: boolean;
};

/** Returns the fields of a page alone. */
export function formOf(page: PageForm): PageForm {
	return Object.fromEntries(FIELD_NAMES.map((name) => [name, page[name]])) as PageForm;
}

/** Returns the fields in which two pages differ. */
export function fieldsBetween(a: PageForm, b: PageForm): PageField[] {
	return FIELD_NAMES.filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
}

/** Returns why a text is too long, or undefined. One that is too long already may grow a little, to be corrected. */
export function lengthProblem(content: string, before: string): string | undefined {
	const most = limitOf(POST_LIMITS.content, textLength(before));
	return textLength(content) > most ? `Use ${formatCount(most)} characters or fewer` : undefined;
}

/** Returns a field as text, a paragraph for each entry. */
export function textOf(form: PageForm, name: PageField): string {
	const value = form[name];
	if (typeof value === 'boolean') return value ? 'Yes' : 'No';
	if (typeof value === 'string') return value;
	return value.map(entryText).join('\n\n');
}

function entryText(entry: Question | Testimonial): string {
	if ('question' in entry) return `${entry.question}\n${entry.answer}`;
	const { name, role, content, rating, invented } = entry;
	return [
		content,
		[name, role, `${rating} of 5`, invented && 'invented'].filter(Boolean).join(', '),
	].join('\n');
}

/** Merges what somebody else changed since both began with `base`. */
export const mergeForms = (base: PageForm, mine: PageForm, theirs: PageForm) =>
	mergeFields(fieldsBetween, base, mine, theirs);
