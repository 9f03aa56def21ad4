import { createElement as h, Fragment, type ReactNode } from 'react';
import { Button } from '@react-email/button';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import { codeParts } from '#src/lib/code-parts.ts';
import { curlQuotes } from '#src/lib/quotes.ts';
import type { Block, Entry, Link } from './email-content.ts';
import {
	excerptStyle,
	buttonStyle,
	codeStyle,
	headingStyle,
	labelStyle,
	lightColor,
	PICTURE_WIDTH,
	pictureStyle,
	linksStyle,
	linkStyle,
	SANS,
	smallStyle,
	textStyle,
} from './email-styles.ts';

/** Returns a part of an email as elements for email clients. */
export function renderBlock(block: Block): ReactNode {
	switch (block.kind) {
		case 'text':
			return h(Text, { className: 'ink', style: textStyle }, curlQuotes(block.text));
		case 'heading':
			return h('h2', { className: 'ink', style: headingStyle }, curlQuotes(block.text));
		case 'button':
			return h(
				Button,
				{ href: block.href, className: 'button', style: buttonStyle },
				curlQuotes(block.label),
			);
		case 'links':
			return renderLinks(block.items);
		case 'facts':
			return block.items.map(([name, value], index) =>
				h(
					Text,
					{
						key: name,
						className: 'ink',
						style: { ...smallStyle, margin: `0 0 ${index < block.items.length - 1 ? 6 : 16}px` },
					},
					h('span', { className: 'muted', style: labelStyle }, `${name} `),
					curlQuotes(value),
				),
			);
		case 'typed':
			return h('div', { style: { margin: '0 0 16px' } }, ...typed(block.text, INK));
		case 'quote':
			return beside(...typed(block.text, INK));
		case 'entries':
			return block.items.map((entry) => renderEntry(entry));
		case 'article':
			return h('div', {
				className: 'article ink',
				style: { ...textStyle, margin: 0 },
				dangerouslySetInnerHTML: { __html: block.html },
			});
	}
}

const INK = { className: 'ink', style: textStyle };

/** Puts a line beside what somebody wrote. A cell, because Outlook knows no padding of anything else. */
const beside = (...children: ReactNode[]) =>
	h(
		'table',
		{
			role: 'presentation',
			width: '100%',
			cellPadding: 0,
			cellSpacing: 0,
			style: { tableLayout: 'fixed', margin: '0 0 16px' },
		},
		h(
			'tbody',
			null,
			h(
				'tr',
				null,
				h(
					'td',
					{
						className: 'line',
						style: {
							borderLeft: `3px solid ${lightColor('line')}`,
							padding: '0 0 0 14px',
							wordBreak: 'break-word',
						},
					},
					...children,
				),
			),
		),
	);

/** Returns typed words as paragraphs and blocks of code, without space below the last one. */
function typed(
	text: string,
	{ className, style }: { className: string; style: object },
	show = (words: string) => words,
) {
	const parts = codeParts(text).flatMap((part) =>
		part.isCode ? [part] : part.text.split(/\n{2,}/).map((one) => ({ ...part, text: one })),
	);
	return parts.map((part, index) => {
		const margin = `0 0 ${index < parts.length - 1 ? 12 : 0}px`;
		return part.isCode
			? h(
					'pre',
					{ key: index, className: 'code line ink', style: { ...codeStyle, margin } },
					part.text.replaceAll('\t', '  '),
				)
			: h(
					Text,
					{ key: index, className, style: { ...style, margin } },
					...linesOf(show(part.text)),
				);
	});
}

/** Returns somebody's words with their line breaks and indents, as elements: Outlook knows no `white-space`. */
function linesOf(text: string): ReactNode[] {
	return text
		.split('\n')
		.flatMap((line, index) => [
			index > 0 && h('br', { key: index }),
			line.replace(/^ +| {2,}/g, (spaces) => '\u00a0'.repeat(spaces.length)),
		]);
}

function renderEntry({
	title,
	href,
	label: note,
	text,
	picture,
	article,
	links,
}: Entry): ReactNode {
	const foot = links && renderLinks(links);
	const head = h(
		Section,
		{
			className: 'line',
			style: {
				borderTop: `1px solid ${lightColor('line')}`,
				padding: '16px 0 4px',
				tableLayout: 'fixed',
			},
		},
		picture &&
			h(
				'a',
				{ href },
				h('img', {
					...picture,
					// As wide as the letter; a reader without pictures has the words.
					width: PICTURE_WIDTH,
					height: Math.round((picture.height * PICTURE_WIDTH) / picture.width),
					style: pictureStyle,
				}),
			),
		note &&
			h(
				Text,
				{ className: 'muted', style: { ...labelStyle, margin: '0 0 4px' } },
				curlQuotes(note),
			),
		h(
			Text,
			{
				className: 'ink',
				style: { ...textStyle, fontFamily: SANS, fontWeight: 650, margin: '0 0 6px' },
			},
			h('a', { href, className: 'link', style: linkStyle }, curlQuotes(title)),
		),
		text &&
			h(
				'div',
				{ style: { margin: '0 0 16px' } },
				...typed(
					text,
					{ className: 'muted', style: { ...excerptStyle, color: lightColor('muted') } },
					curlQuotes,
				),
			),
		!article && foot,
	);
	// Beside the section, whose table would grow as wide as the widest line of code.
	return h(Fragment, { key: href }, head, article && renderBlock(article), article && foot);
}

/** Links on a line, far enough from each other and from the next line to be pressed. */
const renderLinks = (links: readonly Link[]) =>
	h(
		Text,
		{ className: 'muted', style: linksStyle },
		...links.flatMap((link, index) => [
			index > 0 && ' · ',
			h(
				'a',
				{ key: link.href, href: link.href, className: 'link', style: linkStyle },
				curlQuotes(link.label),
			),
		]),
	);
