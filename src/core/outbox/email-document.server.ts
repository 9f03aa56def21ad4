import { createElement as h, Fragment, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Body } from '@react-email/body';
import { Container } from '@react-email/container';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import { getEnv } from '#src/lib/env.ts';
import { curlQuotes } from '#src/lib/quotes.ts';
import { site } from '#src/site.ts';
import type { EmailContent } from './email-content.ts';
import { renderBlock } from './email-blocks.server.ts';
import {
	COLORS,
	footerStyle,
	headlineStyle,
	hiddenStyle,
	labelStyle,
	lightColor,
	linkStyle,
	ruleStyle,
	STYLES,
	wordmarkLinkStyle,
	wordmarkStyle,
} from './email-styles.ts';

/** Returns an email as HTML for email clients: tables, inline styles, and dark colors where supported. */
export function emailDocument(email: EmailContent): string {
	const { subject, preview, online, title, blocks, why, links } = email;
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
				h('title', null, curlQuotes(subject)),
				h('style', { dangerouslySetInnerHTML: { __html: STYLES } }),
			),
			h(
				Body,
				{
					className: 'paper',
					style: { margin: 0, padding: 0, backgroundColor: lightColor('paper') },
				},
				h('div', { style: hiddenStyle }, curlQuotes(preview), fillerFor(preview)),
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
								email.label,
								online && ' · ',
								online &&
									h('a', { href: online, className: 'link', style: linkStyle }, 'Read online'),
							),
							h('h1', { className: 'ink', style: headlineStyle }, curlQuotes(title)),
							...blocks.map((block, index) => h(Fragment, { key: index }, renderBlock(block))),
						),
						h('hr', { className: 'line', style: { ...ruleStyle, margin: '32px 0 16px' } }),
						h(Text, { className: 'muted', style: footerStyle }, curlQuotes(why)),
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
