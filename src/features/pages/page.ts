import type { Question, Testimonial } from '#db/schema.ts';
import { paths } from '#src/site.ts';

export type { Question, Testimonial };

/** A page as readers see it, but for its text, which is not yet rendered. */
export type Page = {
	id: string;
	slug: string;
	title: string;
	description: string;
	/** Sanitized HTML, in which tokens such as `%SITE_NAME%` stand for the site's names. */
	content: string;
	/** Files of the drawings that it shows, by their ids. */
	drawings: [id: string, svg: string][];
	/** ISO date of the last change that readers should know of; empty for none. */
	dated: string;
	/** Whether the footer links to it. */
	footer: boolean;
	questions: Question[];
	testimonials: Testimonial[];
	/** When it last changed, ISO 8601; empty where only the files know. */
	updatedAt: string;
	/** Whether the admin changed it since it was seeded. */
	isEdited: boolean;
};

type ListName = 'questions' | 'testimonials';

/** A page that the program needs: it keeps its address, and cannot be hidden or deleted. */
type BuiltIn = {
	title: string;
	path: string;
	/** The lists that are edited at the desk. The rest of such a page is part of the program. */
	lists?: readonly ListName[];
};

const BUILT_IN: Readonly<Record<string, BuiltIn>> = {
	home: { title: 'Home', path: '/', lists: ['questions', 'testimonials'] },
	states: { title: 'AI by State', path: paths.states, lists: ['questions'] },
	newsletter: { title: 'Newsletter', path: '/newsletter', lists: ['questions', 'testimonials'] },
	about: { title: 'About', path: '/about' },
	privacy: { title: 'Privacy Policy', path: '/privacy' },
	terms: { title: 'Terms of Service', path: '/terms' },
};

/** Returns the page of the program that has this slug. */
export function builtIn(slug: string): BuiltIn | undefined {
	return Object.hasOwn(BUILT_IN, slug) ? BUILT_IN[slug] : undefined;
}

/** Returns the address of a page. */
export const pathOf = (slug: string): string => builtIn(slug)?.path ?? paths.page(slug);

/** Returns a page of the program as it is stored; without words where nothing is. */
export function pageOf(pages: readonly Page[], slug: string): Page {
	const title = builtIn(slug)?.title ?? slug;
	const none = { id: '', content: '', drawings: [], dated: '', footer: false };
	const lists = { questions: [], testimonials: [] };
	return (
		pages.find((page) => page.slug === slug) ?? {
			...none,
			...lists,
			slug,
			title,
			description: title,
			updatedAt: '',
			isEdited: false,
		}
	);
}
