import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { renderArticle, type Rendering } from '#src/core/articles/render.ts';
import { site } from '#src/site.ts';

const TOKENS: Record<string, string> = {
	'%SITE_NAME%': site.name,
	'%CONTACT_EMAIL%': site.email.contact,
	'%PRIVACY_EMAIL%': site.email.privacy,
};

/** Returns a page's Markdown as HTML, with the site's name and addresses filled in. */
export async function renderPage(markdown: string): Promise<Rendering> {
	const text = markdown.replace(/%[A-Z_]+%/g, (token) => TOKENS[token] ?? token);
	return renderArticle(await markdownToHtml(text));
}

export type Question = { question: string; answer: string };
export type Testimonial = { name: string; role: string; content: string; rating: number };

/** Returns the questions and answers of a page, from content/faqs.yaml. */
export async function getQuestions(page: 'home' | 'states' | 'newsletter'): Promise<Question[]> {
	return (await readContent<Record<string, Question[]>>('faqs.yaml'))[page] ?? [];
}

/**
 * Returns the testimonials of a page, from content/testimonials.yaml. They are invented and only shown while
 * invented proof is on.
 */
export async function getTestimonials(page: 'home' | 'newsletter'): Promise<Testimonial[]> {
	return (await readContent<Record<string, Testimonial[]>>('testimonials.yaml'))[page] ?? [];
}

async function readContent<T>(name: string): Promise<T> {
	return parse(await readFile(`content/${name}`, 'utf8')) as T;
}
