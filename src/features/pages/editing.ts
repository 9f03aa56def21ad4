import * as z from 'zod/mini';
import { mergeArticles, textOf } from '#src/core/articles/blocks.ts';
import {
	flagField,
	listField,
	recordOf,
	textField,
	type Edited,
	type FormOf,
	type Listed,
} from '#src/core/records/record.ts';
import { limitOf, POST_LIMITS } from '#src/features/posts/editing.ts';
import { line, needed, neededLines } from '#src/lib/inputs.ts';
import { slugify } from '#src/lib/slug.ts';
import { formatCount } from '#src/lib/text.ts';
import { textLength } from '#src/lib/text-length.ts';
import { builtIn, type Question, type Testimonial } from './page.ts';

const MAX_ITEMS = 100;
const list = <Item extends z.ZodMiniType>(item: Item) =>
	z.array(item).check(z.maxLength(MAX_ITEMS, `Use ${MAX_ITEMS} entries or fewer`));

/** Returns whether this is a day, or nothing. */
function isDayOrNone(given: string): boolean {
	if (given === '') return true;
	const date = new Date(`${given}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === given;
}

const slug = z.pipe(
	z.pipe(z.string(), z.transform(slugify)),
	z.string().check(z.maxLength(POST_LIMITS.slug, `Use ${POST_LIMITS.slug} characters or fewer`)),
);
const day = z
	.string()
	.check(z.refine<string>(isDayOrNone, 'Use a day like 2026-05-31, or leave it empty.'));
const question = z.object({ question: needed(300), answer: neededLines(3000) });
const testimonial = z.object({
	name: needed(100),
	role: line(200),
	content: neededLines(2000),
	rating: z.int('Use a number from 1 to 5.').check(z.gte(1), z.lte(5)),
	invented: z._default(z.boolean(), false),
});

function questionsText(entries: Question[]): string {
	return entries.map(({ question, answer }) => `${question}\n${answer}`).join('\n\n');
}

function testimonialsText(entries: Testimonial[]): string {
	return entries
		.map(({ name, role, content, rating, invented }) => {
			const who = [name, role, `${rating} of 5`, invented && 'invented'];
			return [content, who.filter(Boolean).join(', ')].join('\n');
		})
		.join('\n\n');
}

/** The fields of a page. */
export const PAGE = recordOf({
	title: textField('Title', needed(POST_LIMITS.title)),
	slug: textField('Address', slug),
	description: textField('Description', line(POST_LIMITS.excerpt)),
	content: { ...textField('Text', z.string()), textOf, merge: mergeArticles },
	dated: textField('Last updated', day),
	published: flagField('Public'),
	footer: flagField('Link in the footer'),
	questions: listField('Questions', questionsText, list(question)),
	testimonials: listField('Testimonials', testimonialsText, list(testimonial)),
});

/** The fields of a page as they are stored. */
export type PageForm = FormOf<typeof PAGE>;
type PageField = keyof PageForm;

const OF_TEXT: readonly PageField[] = ['title', 'description', 'content', 'dated'];
const OF_OWN: readonly PageField[] = [...OF_TEXT, 'slug', 'published', 'footer'];

/** Returns the fields of a page that can be edited. */
export function fieldsOf(slug: string): readonly PageField[] {
	const page = builtIn(slug);
	return page ? (page.lists ?? OF_TEXT) : OF_OWN;
}

/** A new page. Its address follows its title where none is given. */
export const newPage = z.extend(PAGE.changes, { title: PAGE.rules.title });

/** A page as the admin edits it. */
export type EditedPage = Edited<PageForm> & {
	/** Where readers find it. */
	path: string;
};

/** A page in the list. */
export type PageRow = Listed &
	Pick<EditedPage, 'title' | 'path' | 'published' | 'footer'> & {
		questions: number;
		testimonials: number;
	};

/** Returns why a text is too long, or undefined. One that is too long already may grow a little, to be corrected. */
export function lengthProblem(content: string, before: string): string | undefined {
	const most = limitOf(POST_LIMITS.content, textLength(before));
	return textLength(content) > most ? `Use ${formatCount(most)} characters or fewer` : undefined;
}
