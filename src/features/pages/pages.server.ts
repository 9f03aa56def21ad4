import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { renderArticle, type Rendering } from '#src/core/articles/render.ts';
import { site } from '#src/site.ts';

/** Returns a text of `content/` with the site's names, as `escape` writes them, and its addresses filled in. */
export function fillIn(text: string, escape = (value: string) => value): string {
	const values: Record<string, string> = {
		'%SITE_NAME%': escape(site.name),
		'%NEWSLETTER%': escape(site.newsletter),
		'%CONTACT_EMAIL%': site.email.contact,
		'%PRIVACY_EMAIL%': site.email.privacy,
	};
	return text.replace(/%[A-Z_]+%/g, (token) => values[token] ?? token);
}

/** A name may hold what Markdown or HTML would read as its own. */
const asMarkdown = (value: string) => value.replace(/[!-,:-@[-`{-~]/g, '\\$&');

/** Returns a page's Markdown as HTML, with the site's names and addresses filled in. */
export async function renderPage(markdown: string): Promise<Rendering> {
	return renderArticle(await markdownToHtml(fillIn(markdown, asMarkdown)));
}

export type Question = { question: string; answer: string };
export type Testimonial = { name: string; role: string; content: string; rating: number };

/** Returns the questions and answers of a page, from content/faqs.yaml. Those of the home page are about the sample content. */
export async function getQuestions(page: 'home' | 'states' | 'newsletter'): Promise<Question[]> {
	if (page === 'home' && !site.hasSamples) return [];
	return (await readContent<Record<string, Question[]>>('faqs.yaml'))[page] ?? [];
}

/**
 * Returns the testimonials of a page, from content/testimonials.yaml. They are invented and only shown while
 * invented proof is on, beside the sample content.
 */
export async function getTestimonials(page: 'home' | 'newsletter'): Promise<Testimonial[]> {
	if (!site.hasSamples) return [];
	return (await readContent<Record<string, Testimonial[]>>('testimonials.yaml'))[page] ?? [];
}

async function readContent<T>(name: string): Promise<T> {
	const text = await readFile(`content/${name}`, 'utf8');
	return parse(text, (_key, value: unknown) =>
		typeof value === 'string' ? fillIn(value) : value,
	) as T;
}
