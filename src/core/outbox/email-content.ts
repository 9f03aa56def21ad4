import { codeParts } from '#src/lib/code-parts.ts';
import { cut } from '#src/lib/text.ts';
import { site } from '#src/site.ts';

/** One part of an email. HTML and plain text are both made from these. */
export type Block =
	| { kind: 'text'; text: string }
	| { kind: 'heading'; text: string }
	/** The one thing to do first. */
	| { kind: 'button'; label: string; href: string }
	/** Other things to do, below it. */
	| { kind: 'links'; items: Link[] }
	| { kind: 'facts'; items: [name: string, value: string][] }
	/** Words as they were typed, with their line breaks and fenced code. */
	| { kind: 'typed'; text: string }
	/** The same, of somebody else. */
	| { kind: 'quote'; text: string }
	| { kind: 'entries'; items: Entry[] }
	| ArticleBlock;

export type Link = { label: string; href: string };

/** HTML that is ready for email, and the same as plain text. */
export type ArticleBlock = { kind: 'article'; html: string; text: string };

/** One of several items in an email, with a sentence or two, or the whole article. */
export type Entry = {
	title: string;
	href: string;
	label?: string;
	text?: string;
	/** Above its title, and a link as well. */
	picture?: { src: string; alt: string; width: number; height: number };
	article?: ArticleBlock;
	/** Links to what can be done with it. */
	links?: Link[];
};

/** The content of an email, before it has a recipient. */
export type EmailContent = {
	subject: string;
	/** Shown after the subject in an inbox. */
	preview: string;
	/** The label on the edge of the frame. */
	label: string;
	/** Address of the same as a page. */
	online?: string;
	title: string;
	blocks: Block[];
	/** Why the reader gets this email, in one sentence. */
	why: string;
	/** Links to unsubscribe and to change preferences. Emails to the owner have none. */
	links?: { leave: string; preferences?: string };
	replyTo?: { name: string; address: string };
};

/** Returns a text for a header or a name: one line without invisible characters, so that nobody can inject a header. */
export function headerLine(text: string, length = 200): string {
	return cut(text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(), length);
}

/** Returns the part of an address after the @. */
export function domainOf(address: string): string {
	return address.slice(address.lastIndexOf('@') + 1);
}

/** Returns the plain-text version of an email. */
export function emailText({ title, online, blocks, why, links }: EmailContent): string {
	const choose = links?.preferences ? `\nChoose what you get: ${links.preferences}` : '';
	const foot = [why, links && `Unsubscribe: ${links.leave}`.concat(choose)];
	const sender = [`--\n${site.name}: ${site.tagline}`, site.operator].filter(Boolean).join('\n');
	return [title, online && `Read online: ${online}`, ...blocks.map(blockText), sender, ...foot]
		.filter(Boolean)
		.join('\n\n')
		.concat('\n');
}

function blockText(block: Block): string {
	switch (block.kind) {
		case 'text':
		case 'heading':
		case 'article':
			return block.text.trim();
		case 'button':
			return `${block.label}:\n${block.href}`;
		case 'facts':
			return block.items.map(([name, value]) => `${name}: ${value}`).join('\n');
		case 'links':
			return linksText(block.items);
		case 'typed':
			return typedText(block.text);
		case 'quote':
			return typedText(block.text).replace(/^/gm, '> ');
		case 'entries':
			return block.items
				.map(({ title, href, label, text, article, links = [] }) =>
					[
						label ? `${title} (${label})` : title,
						text && typedText(text),
						href,
						article && `\n${blockText(article)}\n`,
						linksText(links),
					]
						.filter(Boolean)
						.join('\n'),
				)
				.join('\n\n');
	}
}

const linksText = (links: Link[]) => links.map(({ label, href }) => `${label}: ${href}`).join('\n');

/** Returns typed words with their code indented, in place of fences. */
const typedText = (text: string) =>
	codeParts(text)
		.map((part) => (part.isCode ? part.text.replace(/^/gm, '    ') : part.text))
		.join('\n\n');
