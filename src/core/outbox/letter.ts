import { site } from '#src/site.ts';

/** One part of a letter. Both of its forms, HTML and plain text, are made from these. */
export type Block =
	| { kind: 'text'; text: string }
	| { kind: 'button'; label: string; href: string }
	| { kind: 'facts'; items: [name: string, value: string][] }
	/** Words of somebody else, with their line breaks. */
	| { kind: 'quote'; text: string }
	| { kind: 'entries'; items: Entry[] }
	/** Ready HTML for mail, and the same as plain text. */
	| { kind: 'article'; html: string; text: string };

/** One of several things that a letter tells of. */
export type Entry = { title: string; href: string; label?: string; text?: string };

/** What is mailed, before it is anybody's. */
export type Letter = {
	subject: string;
	/** What a list of emails shows after the subject. */
	preview: string;
	/** The word on the frame's edge. */
	label: string;
	title: string;
	blocks: Block[];
	/** Why the reader gets it, in one sentence. */
	why: string;
	/** Where the reader ends it and chooses; the owner's own mail has none. */
	links?: { leave: string; preferences: string };
	replyTo?: { name: string; address: string };
};

/** Text for a header or a name: one line, nothing invisible, so that nobody can add a header. */
export function headerLine(text: string, length = 200): string {
	return text
		.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
		.trim()
		.slice(0, length);
}

/** The part of an address after the @. */
export function domainOf(address: string): string {
	return address.slice(address.lastIndexOf('@') + 1);
}

/** The plain-text twin of a letter. */
export function letterText({ title, blocks, why, links }: Letter): string {
	const foot = [
		why,
		links && `Unsubscribe: ${links.leave}\nChoose what you get: ${links.preferences}`,
	];
	return [title, ...blocks.map(blockText), `--\n${site.name}: ${site.tagline}`, ...foot]
		.filter(Boolean)
		.join('\n\n')
		.concat('\n');
}

function blockText(block: Block): string {
	switch (block.kind) {
		case 'text':
		case 'article':
			return block.text.trim();
		case 'button':
			return `${block.label}:\n${block.href}`;
		case 'facts':
			return block.items.map(([name, value]) => `${name}: ${value}`).join('\n');
		case 'quote':
			return block.text.replace(/^/gm, '> ');
		case 'entries':
			return block.items
				.map(({ title, href, label, text }) =>
					[label ? `${title} (${label})` : title, text, href].filter(Boolean).join('\n'),
				)
				.join('\n\n');
	}
}
