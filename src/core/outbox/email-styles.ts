/** Colors of the site's style sheet: [light, dark]. */
export const COLORS = {
	paper: ['#fafaf7', '#0b1015'],
	raised: ['#ffffff', '#121920'],
	ink: ['#10161d', '#e8edf2'],
	muted: ['#4c5761', '#a3b0bc'],
	line: ['#d9dbd5', '#26313b'],
	accent: ['#0e7490', '#67e8f9'],
	onAccent: ['#ffffff', '#0b1015'],
} as const;
export const lightColor = (name: keyof typeof COLORS) => COLORS[name][0];

/** Styles for dark mode. Rules in a style element override inline styles only with `!important`. */
const DARK = `
.paper{background-color:${COLORS.paper[1]}!important}
.raised{background-color:${COLORS.raised[1]}!important}
.ink,.article,.article *{color:${COLORS.ink[1]}!important}
.muted{color:${COLORS.muted[1]}!important}
.line,.article td,.article th,.article pre,.article blockquote{border-color:${COLORS.line[1]}!important}
.mark{border-color:${COLORS.accent[1]}!important}
.link,.article a{color:${COLORS.accent[1]}!important}
.code,.article pre,.article code{background-color:${COLORS.paper[1]}!important}
.button{background-color:${COLORS.accent[1]}!important;color:${COLORS.onAccent[1]}!important}`;
export const STYLES = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){${DARK}}
${DARK.replaceAll('\n.', '\n[data-ogsc] .').replaceAll(',.', ',[data-ogsc] .')}
@media (max-width:480px){.pad{padding-left:20px!important;padding-right:20px!important}.outer{padding-left:8px!important;padding-right:8px!important}}`;

export const SANS = "'Bricolage Grotesque','Helvetica Neue',Helvetica,Arial,sans-serif";
const SERIF = "'Source Serif 4',Charter,Georgia,'Times New Roman',serif";
const MONO = "'Geist Mono',ui-monospace,Menlo,Consolas,monospace";

/** Pixels of a picture in an email, at most. */
export const PICTURE_WIDTH = 520;
export const pictureStyle = {
	display: 'block',
	width: '100%',
	maxWidth: `${PICTURE_WIDTH}px`,
	height: 'auto',
	margin: '0 0 16px',
	backgroundColor: '#ffffff',
} as const;

export const labelStyle = {
	margin: 0,
	fontFamily: MONO,
	fontSize: '12px',
	lineHeight: '18px',
	color: lightColor('muted'),
} as const;
export const textStyle = {
	margin: '0 0 16px',
	fontFamily: SERIF,
	fontSize: '18px',
	lineHeight: '28px',
	color: lightColor('ink'),
} as const;
export const smallStyle = {
	...textStyle,
	fontFamily: SANS,
	fontSize: '14px',
	lineHeight: '21px',
} as const;
/** Below the title of an article: what a reader decides by. */
export const excerptStyle = {
	...textStyle,
	fontFamily: SANS,
	fontSize: '16px',
	lineHeight: '24px',
} as const;
export const linksStyle = {
	...smallStyle,
	lineHeight: '32px',
	color: lightColor('muted'),
} as const;
export const codeStyle = {
	margin: '0 0 16px',
	padding: '12px 14px',
	overflowX: 'auto',
	whiteSpace: 'pre',
	wordBreak: 'normal',
	fontFamily: MONO,
	fontSize: '13px',
	lineHeight: '20px',
	color: lightColor('ink'),
	backgroundColor: lightColor('paper'),
	border: `1px solid ${lightColor('line')}`,
} as const;
export const linkStyle = { color: lightColor('accent'), textDecoration: 'underline' } as const;

export const hiddenStyle = {
	display: 'none',
	maxHeight: 0,
	overflow: 'hidden',
	opacity: 0,
} as const;
export const wordmarkStyle = {
	...smallStyle,
	margin: '0 0 16px',
	fontSize: '16px',
	fontWeight: 650,
} as const;
export const wordmarkLinkStyle = { color: lightColor('ink'), textDecoration: 'none' } as const;
export const headlineStyle = {
	margin: '6px 0 20px',
	fontFamily: SANS,
	fontSize: '30px',
	lineHeight: '35px',
	fontWeight: 650,
	letterSpacing: '-0.02em',
	color: lightColor('ink'),
} as const;
export const headingStyle = {
	...textStyle,
	margin: '20px 0 14px',
	fontFamily: SANS,
	fontSize: '20px',
	lineHeight: '26px',
	fontWeight: 650,
} as const;
export const footerStyle = {
	...smallStyle,
	margin: '0 0 8px',
	fontSize: '13px',
	lineHeight: '20px',
	color: lightColor('muted'),
};
export const ruleStyle = { border: 'none', borderTop: `1px solid ${lightColor('line')}` } as const;

export const buttonStyle = {
	display: 'inline-block',
	margin: '4px 0 12px',
	padding: '12px 20px',
	fontFamily: SANS,
	fontSize: '16px',
	fontWeight: 600,
	lineHeight: '20px',
	textDecoration: 'none',
	backgroundColor: lightColor('accent'),
	color: lightColor('onAccent'),
} as const;

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
	pre: css(codeStyle),
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
