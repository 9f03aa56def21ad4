import { createElement as h, Fragment, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Container } from '@react-email/container';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import { getEnv } from '#src/lib/env.ts';
import { site } from '#src/site.ts';
import type { Block, Entry, Letter } from './letter.ts';

/** Colors of the site's style sheet: [light, dark]. */
const COLORS = {
	paper: ['#fafaf7', '#0b1015'],
	raised: ['#ffffff', '#121920'],
	ink: ['#10161d', '#e8edf2'],
	muted: ['#4c5761', '#a3b0bc'],
	line: ['#d9dbd5', '#26313b'],
	accent: ['#0e7490', '#67e8f9'],
	onAccent: ['#ffffff', '#0b1015'],
} as const;
const lightColor = (name: keyof typeof COLORS) => COLORS[name][0];

/** Styles for dark mode. Rules in a style element override inline styles only with `!important`. */
const DARK = `
.paper{background-color:${COLORS.paper[1]}!important}
.raised{background-color:${COLORS.raised[1]}!important}
.ink,.article,.article *{color:${COLORS.ink[1]}!important}
.muted{color:${COLORS.muted[1]}!important}
.line,.article td,.article th,.article pre,.article blockquote{border-color:${COLORS.line[1]}!important}
.mark{border-color:${COLORS.accent[1]}!important}
.link,.article a{color:${COLORS.accent[1]}!important}
.article pre,.article code{background-color:${COLORS.paper[1]}!important}
.quiet{background-color:${COLORS.raised[1]}!important;color:${COLORS.accent[1]}!important;border-color:${COLORS.accent[1]}!important}
.button{background-color:${COLORS.accent[1]}!important;color:${COLORS.onAccent[1]}!important}`;
const STYLES = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){${DARK}}
${DARK.replaceAll('\n.', '\n[data-ogsc] .').replaceAll(',.', ',[data-ogsc] .')}
@media (max-width:480px){.pad{padding-left:20px!important;padding-right:20px!important}.outer{padding-left:8px!important;padding-right:8px!important}}`;

const SANS = "'Bricolage Grotesque','Helvetica Neue',Helvetica,Arial,sans-serif";
const SERIF = "'Source Serif 4',Charter,Georgia,'Times New Roman',serif";
const MONO = "'Geist Mono',ui-monospace,Menlo,Consolas,monospace";

const labelStyle = {
	margin: 0,
	fontFamily: MONO,
	fontSize: '12px',
	lineHeight: '18px',
	color: lightColor('muted'),
} as const;
const textStyle = {
	margin: '0 0 16px',
	fontFamily: SERIF,
	fontSize: '18px',
	lineHeight: '28px',
	color: lightColor('ink'),
} as const;
const smallStyle = {
	...textStyle,
	fontFamily: SANS,
	fontSize: '14px',
	lineHeight: '21px',
} as const;
const linkStyle = { color: lightColor('accent'), textDecoration: 'underline' } as const;

/** Returns a letter as HTML for email clients: tables, inline styles, and dark colors where supported. */
export function letterHtml(letter: Letter): string {
	const { subject, preview, online, title, blocks, why, links } = letter;
	const page = renderToStaticMarkup(
		h(
			'html',
			{ lang: 'en', dir: 'ltr' },
			h(
				'head',
				null,
				h('meta', { httpEquiv: 'Content-Type', content: 'text/html; charset=UTF-8' }),
				h('meta', { name: 'x-apple-disable-message-reformatting' }),
				h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
				h('meta', { name: 'color-scheme', content: 'light dark' }),
				h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
				h('title', null, subject),
				h('style', { dangerouslySetInnerHTML: { __html: STYLES } }),
			),
			h(
				Body,
				{
					className: 'paper',
					style: { margin: 0, padding: 0, backgroundColor: lightColor('paper') },
				},
				h('div', { style: hiddenStyle }, preview, fillerFor(preview)),
				h(
					Section,
					{
						className: 'paper outer',
						style: { padding: '32px 16px 40px', backgroundColor: lightColor('paper') },
					},
					h('outlook-start'),
					h(
						Container,
						{ style: { maxWidth: '600px' } },
						h(
							Text,
							{ className: 'ink', style: wordmarkStyle },
							h(
								'a',
								{ href: getEnv().SITE_URL, className: 'ink', style: wordmarkLinkStyle },
								site.name,
							),
						),
						frame(
							h(
								Text,
								{ className: 'muted', style: labelStyle },
								letter.label,
								online && ' · ',
								online &&
									h('a', { href: online, className: 'link', style: linkStyle }, 'Read online'),
							),
							h('h1', { className: 'ink', style: headlineStyle }, title),
							...blocks.map((block, index) => h(Fragment, { key: index }, renderBlock(block))),
						),
						h('hr', { className: 'line', style: { ...ruleStyle, margin: '32px 0 16px' } }),
						h(Text, { className: 'muted', style: footerStyle }, why),
						links &&
							h(
								Text,
								{ className: 'muted', style: footerStyle },
								h('a', { href: links.leave, className: 'link', style: linkStyle }, 'Unsubscribe'),
								links.preferences && ' · ',
								links.preferences &&
									h(
										'a',
										{ href: links.preferences, className: 'link', style: linkStyle },
										'Choose what you get',
									),
							),
						h(Text, { className: 'muted', style: footerStyle }, `${site.name}: ${site.tagline}`),
						site.operator && h(Text, { className: 'muted', style: footerStyle }, site.operator),
					),
					h('outlook-end'),
				),
			),
		),
	);
	return withAccent(`<!doctype html>${withOutlookWidth(page)}`);
}

/** Characters that an inbox shows of an email. */
const PREVIEW_LENGTH = 120;

/** Returns spaces for the rest of an inbox's line, which would otherwise go on with what the email begins with. */
const fillerFor = (preview: string) =>
	'\u034f\u200c\u00a0'.repeat(Math.max(0, PREVIEW_LENGTH - preview.length));

/** Puts comments in place of two elements: Outlook for Windows knows no `max-width`, but comments that it alone reads. */
function withOutlookWidth(html: string): string {
	return html
		.replace(
			'<outlook-start></outlook-start>',
			'<!--[if mso]><table role="presentation" align="center" width="600" cellpadding="0" cellspacing="0"><tr><td><![endif]-->',
		)
		.replace('<outlook-end></outlook-end>', '<!--[if mso]></td></tr></table><![endif]-->');
}

/** Puts in the site's accent color at last, because lessons were rendered with the usual one. */
function withAccent(html: string): string {
	const [light, dark] = COLORS.accent;
	return html.replaceAll(light, site.accent.light).replaceAll(dark, site.accent.dark);
}

const hiddenStyle = { display: 'none', maxHeight: 0, overflow: 'hidden', opacity: 0 } as const;
const wordmarkStyle = {
	...smallStyle,
	margin: '0 0 16px',
	fontSize: '16px',
	fontWeight: 650,
} as const;
const wordmarkLinkStyle = { color: lightColor('ink'), textDecoration: 'none' } as const;
const headlineStyle = {
	margin: '6px 0 20px',
	fontFamily: SANS,
	fontSize: '30px',
	lineHeight: '35px',
	fontWeight: 650,
	letterSpacing: '-0.02em',
	color: lightColor('ink'),
} as const;
const headingStyle = {
	...textStyle,
	margin: '20px 0 14px',
	fontFamily: SANS,
	fontSize: '20px',
	lineHeight: '26px',
	fontWeight: 650,
} as const;
const footerStyle = {
	...smallStyle,
	margin: '0 0 8px',
	fontSize: '13px',
	lineHeight: '20px',
	color: lightColor('muted'),
};
const ruleStyle = { border: 'none', borderTop: `1px solid ${lightColor('line')}` } as const;

/**
 * Returns the annotation frame: a sheet with a mark in each corner. Made of table cells, because email clients
 * support no pseudo-elements.
 */
function frame(...children: ReactNode[]): ReactNode {
	const side = `2px solid ${lightColor('accent')}`;
	const corner = (style: object) =>
		h('td', {
			className: 'mark',
			width: 14,
			height: 14,
			style: { fontSize: 0, lineHeight: 0, ...style },
		});
	const edge = h('td', { style: { fontSize: 0, lineHeight: 0 } });
	const row = (...cells: ReactNode[]) => h('tr', null, ...cells);
	return h(
		'table',
		{
			className: 'raised',
			role: 'presentation',
			width: '100%',
			cellPadding: 0,
			cellSpacing: 0,
			style: { backgroundColor: lightColor('raised'), tableLayout: 'fixed' },
		},
		h(
			'tbody',
			null,
			row(
				corner({ borderTop: side, borderLeft: side }),
				edge,
				corner({ borderTop: side, borderRight: side }),
			),
			row(
				h(
					'td',
					{
						colSpan: 3,
						className: 'pad',
						style: { padding: '16px 34px 22px', wordBreak: 'break-word' },
					},
					...children,
				),
			),
			row(
				corner({ borderBottom: side, borderLeft: side }),
				edge,
				corner({ borderBottom: side, borderRight: side }),
			),
		),
	);
}

function renderBlock(block: Block): ReactNode {
	switch (block.kind) {
		case 'text':
			return h(Text, { className: 'ink', style: textStyle }, block.text);
		case 'heading':
			return h('h2', { className: 'ink', style: headingStyle }, block.text);
		case 'button':
			return h(
				Button,
				{
					href: block.href,
					className: block.quiet ? 'quiet' : 'button',
					style: block.quiet ? quietStyle : buttonStyle,
				},
				block.label,
			);
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
					value,
				),
			);
		case 'quote':
			return h(
				Text,
				{
					className: 'ink line',
					style: {
						...textStyle,
						borderLeft: `3px solid ${lightColor('line')}`,
						paddingLeft: '14px',
					},
				},
				...linesOf(block.text),
			);
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

const buttonStyle = {
	display: 'inline-block',
	// Several may stand side by side.
	margin: '4px 10px 16px 0',
	padding: '12px 20px',
	fontFamily: SANS,
	fontSize: '16px',
	fontWeight: 600,
	lineHeight: '20px',
	textDecoration: 'none',
	backgroundColor: lightColor('accent'),
	color: lightColor('onAccent'),
} as const;

const quietStyle = {
	...buttonStyle,
	// As high as the others.
	padding: '11px 19px',
	border: `1px solid ${lightColor('accent')}`,
	backgroundColor: lightColor('raised'),
	color: lightColor('accent'),
} as const;

/** Returns somebody's words with their line breaks and indents, as elements: Outlook knows no `white-space`. */
function linesOf(text: string): ReactNode[] {
	return text
		.split('\n')
		.flatMap((line, index) => [
			index > 0 && h('br', { key: index }),
			line.replace(/^ +| {2,}/g, (spaces) => '\u00a0'.repeat(spaces.length)),
		]);
}

function renderEntry({ title, href, label: note, text, article, links }: Entry): ReactNode {
	const foot =
		links &&
		h(
			Text,
			{ className: 'muted', style: smallStyle },
			...links.flatMap((link, index) => [
				index > 0 && ' · ',
				h('a', { href: link.href, className: 'link', style: linkStyle }, link.label),
			]),
		);
	const head = h(
		Section,
		{
			className: 'line',
			style: { borderTop: `1px solid ${lightColor('line')}`, padding: '16px 0 4px' },
		},
		note && h(Text, { className: 'muted', style: { ...labelStyle, margin: '0 0 4px' } }, note),
		h(
			Text,
			{
				className: 'ink',
				style: { ...textStyle, fontFamily: SANS, fontWeight: 650, margin: '0 0 6px' },
			},
			h('a', { href, className: 'link', style: linkStyle }, title),
		),
		text &&
			h(
				Text,
				{ className: 'muted', style: { ...smallStyle, color: lightColor('muted') } },
				...linesOf(text),
			),
		!article && foot,
	);
	// Beside the section, whose table would grow as wide as the widest line of code.
	return h(Fragment, { key: href }, head, article && renderBlock(article), article && foot);
}

/** Inline styles of an article's elements, beside those of the block around it. */
export const ARTICLE_STYLES: Record<string, string> = {
	p: 'margin:0 0 16px',
	li: 'margin:0 0 8px',
	ul: 'margin:0 0 16px;padding:0 0 0 24px',
	ol: 'margin:0 0 16px;padding:0 0 0 24px',
	h2: css({ ...headlineStyle, fontSize: '23px', lineHeight: '29px', margin: '32px 0 12px' }),
	h3: css({ ...headlineStyle, fontSize: '19px', lineHeight: '25px', margin: '24px 0 10px' }),
	h4: css({ ...headlineStyle, fontSize: '17px', lineHeight: '23px', margin: '20px 0 8px' }),
	a: css(linkStyle),
	img: 'max-width:100%;height:auto',
	div: 'margin:0 0 16px',
	sub: 'font-size:0.75em;line-height:0',
	sup: 'font-size:0.75em;line-height:0',
	figure: 'margin:0 0 16px',
	figcaption: css({ ...labelStyle, margin: '0 0 6px' }),
	aside: `margin:0 0 16px;padding:0 0 0 14px;border-left:3px solid ${lightColor('accent')}`,
	blockquote: `margin:0 0 16px;padding:0 0 0 14px;border-left:3px solid ${lightColor('line')}`,
	pre: `margin:0 0 16px;padding:12px 14px;overflow-x:auto;white-space:pre;word-break:normal;font-family:${MONO};font-size:13px;line-height:20px;color:${lightColor('ink')};background-color:${lightColor('paper')};border:1px solid ${lightColor('line')}`,
	code: `font-family:${MONO};font-size:0.85em;background-color:${lightColor('paper')}`,
	table: 'border-collapse:collapse',
	th: `${css(smallStyle)};padding:6px 12px 6px 0;word-break:normal;text-align:left;font-weight:600;border-bottom:1px solid ${lightColor('line')}`,
	td: `${css(smallStyle)};padding:6px 12px 6px 0;word-break:normal;border-bottom:1px solid ${lightColor('line')}`,
};

function css(style: Record<string, string | number>): string {
	return Object.entries(style)
		.map(
			([name, value]) =>
				`${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}`,
		)
		.join(';');
}
