import { describe, expect, test } from 'vitest';
import { cleanDrawing, DRAWING_LIMITS } from './drawing.ts';
import { placeDrawing } from './place.ts';

const SHAPE = '<path d="M0 0h9v9z"/>';
const svg = (inner: string, attributes = '') =>
	`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 50" ${attributes}>${inner}</svg>`;
const HEAD =
	'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50" width="100" height="50">';
/** Returns the rest of a drawing without its head. */
const kept = (source: string) => {
	const { svg: cleaned } = cleanDrawing(source);
	expect(cleaned.startsWith(HEAD.slice(0, -1))).toBe(true);
	return cleaned.slice(cleaned.indexOf('>') + 1, -'</svg>'.length);
};

/** Everything by which a drawing could run, load or lead somewhere. */
const HARM =
	/script|javascript|\bon\w+=|foreignObject|https?:(?!\/\/www\.w3\.org\/2000\/svg")|\/\/evil|data:|@import|expression|<style|<image|<a[ >]|<!|&\w+;|base|handler/i;

describe('attacks leave a harmless drawing', () => {
	const attacks: Record<string, string> = {
		'a script': svg(`<script>evil()</script>${SHAPE}`),
		'a script of another case and name': svg(
			`<ScRiPt>evil()</ScRiPt><x:script xmlns:x="http://www.w3.org/2000/svg">evil()</x:script>${SHAPE}`,
		),
		'a script by address': svg(
			`<script xlink:href="//evil.example/a.js"/><script href="data:text/javascript,evil()"/>${SHAPE}`,
		),
		'a script of HTML': svg(
			`<h:script xmlns:h="http://www.w3.org/1999/xhtml">evil()</h:script>${SHAPE}`,
		),
		'event handlers': svg(
			`<path d="M0 0h9" onclick="evil()" ONLOAD="evil()" onbegin="evil()"/>`,
			'onload="evil()"',
		),
		'an event handler between control characters': svg(
			`<path d="M0 0h9" on&#10;click="evil()"/>${SHAPE}`.replace('&#10;', ''),
		),
		'the handler element': svg(
			`<handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">evil()</handler>${SHAPE}`,
		),
		'HTML within': svg(
			`<foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="evil()"/></body></foreignObject>${SHAPE}`,
		),
		'a frame and an object': svg(
			`<iframe xmlns="http://www.w3.org/1999/xhtml" src="//evil.example"/><embed src="//evil.example"/><object data="//evil.example"/>${SHAPE}`,
		),
		'a link of JavaScript': svg(
			`<a xlink:href="javascript:evil()">${SHAPE}</a><a href="java&#x0A;script:evil()">${SHAPE}</a>`,
		),
		'a link that an animation makes': svg(
			`<a href="#x">${SHAPE}<animate attributeName="href" values="javascript:evil()"/><set attributeName="xlink:href" to="javascript:evil()"/></a>`,
		),
		'an animated handler': svg(
			`<path d="M0 0h9"><set attributeName="onmouseover" to="evil()"/><animate onbegin="evil()" attributeName="x" dur="1s"/></path>`,
		),
		pictures: svg(
			`<image href="http://evil.example/a.png"/><image xlink:href="data:image/svg+xml;base64,PHN2Zz4="/><feImage href="//evil.example"/>${SHAPE}`,
		),
		'a use of another file': svg(
			`<use href="http://evil.example/a.svg#x"/><use xlink:href="data:image/svg+xml,x#x"/><use href="a.svg#x"/>${SHAPE}`,
		),
		'two links of which one is its own': svg(
			`<path id="x" d="M0 0h9"/><use xlink:href="#x" href="//evil.example/#x"/>`,
		),
		'paints of another file': svg(
			`<path d="M0 0h9" fill="url(http://evil.example/#a)" stroke="url('//evil.example/#b') red" filter="url(//evil.example)" mask="url(data:x)" clip-path="u\\72l(//evil.example)" marker-end="url( //evil.example#x )"/>`,
		),
		'a style that loads': svg(
			`<path d="M0 0h9" style="fill:url(//evil.example);background:url(//evil.example);cursor:url(//evil.example),auto;filter:url(//evil.example#a);mask-image:image-set('//evil.example')"/>`,
		),
		'a style that escapes its name': svg(
			`<path d="M0 0h9" style="fill:\\75rl(//evil.example);f\\69ll:url(//evil.example);behavior:url(#default#time2);-moz-binding:url(//evil.example#x)"/>`,
		),
		'a style that runs': svg(
			`<path d="M0 0h9" style="width:expression(evil());fill:javascript:evil()"/>`,
		),
		'a style sheet that loads': svg(
			`<style>@import url(//evil.example/a.css);@import '//evil.example';@font-face{font-family:x;src:url(//evil.example)}path{fill:url(//evil.example);cursor:url(//evil.example)}</style>${SHAPE}`,
		),
		'a style sheet that ends itself': svg(
			`<style>&lt;/style&gt;&lt;script&gt;evil()&lt;/script&gt;path{font-family:"&lt;/style&gt;&lt;img src=x onerror=evil()&gt;"}</style>${SHAPE}`,
		),
		'a style sheet by instruction': `<?xml version="1.0"?><?xml-stylesheet href="//evil.example/a.css"?><?xml-stylesheet type="text/xsl" href="//evil.example/a.xsl"?>${svg(SHAPE)}`,
		'values that end their attribute': svg(
			`<path d="M0 0h9" fill="red&quot; onload=&quot;evil()" font-family="a&quot;&gt;&lt;script&gt;evil()" id="a&quot;&gt;&lt;script&gt;"/>`,
		),
		'words that are markup': svg(
			`<text x="1"><![CDATA[<img src=x onerror=evil()>]]>&lt;b&gt;</text>`,
		).replaceAll('onerror', 'o'),
		'a title that is markup': svg(
			`<title>&lt;/title&gt;&lt;script&gt;evil()</title><desc><![CDATA[<script>evil()</script>]]></desc>${SHAPE}`,
		),
		'a comment that ends early': svg(`<!-- a --><!-- <script>evil()</script> -->${SHAPE}`),
		'an entity that is markup':
			`<!DOCTYPE svg [<!ENTITY a "evil">]>${svg(`<text x="1">&a;</text>`)}`.replaceAll('evil', 'x'),
		'a base address': svg(
			`<path d="M0 0h9" xml:base="http://evil.example/" fill="red"/>`,
			'xml:base="//evil.example/"',
		),
		'an element that HTML ends the drawing for': svg(
			`<p>x</p><b>x</b><font color="red">x</font><table/>${SHAPE}`,
		),
		'what the file says to its program': svg(
			`<metadata><rdf:x xmlns:rdf="http://evil.example/">evil</rdf:x></metadata>${SHAPE}`,
			'content="&lt;mxfile host=&quot;evil.example&quot;&gt;"',
		),
	};
	test.each(Object.entries(attacks))('%s', (_, source) => {
		const cleaned = cleanDrawing(source).svg;
		expect(cleaned.slice(HEAD.length - 1)).not.toMatch(HARM);
		expect(cleaned).toMatch(/<(path|text)/);
		// What is clean stays as it is.
		expect(cleanDrawing(cleaned)).toMatchObject({ svg: cleaned, removed: [] });
	});
});

describe('what cannot be a drawing is refused in a sentence', () => {
	const laughs = Array.from({ length: 20 }, (_, i) => `<!ENTITY l${i + 1} "&l${i};&l${i};">`).join(
		'',
	);
	const uses = Array.from(
		{ length: 20 },
		(_, i) => `<g id="u${i + 1}"><use href="#u${i}"/><use href="#u${i}"/></g>`,
	).join('');
	const refused: [string, string, RegExp][] = [
		['nothing', '', /no SVG|XML/],
		['HTML', '<!doctype html><html><body><svg/></body></html>', /XML/],
		['other XML', '<feed xmlns="http://www.w3.org/2005/Atom"/>', /no SVG/],
		['a drawing that is cut off', svg(SHAPE).slice(0, -9), /well-formed/],
		['two drawings', `${svg(SHAPE)}${svg(SHAPE)}`, /well-formed|no SVG/],
		[
			'an entity of a file',
			`<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`,
			/undefined entity/,
		],
		[
			'an entity of another site',
			`<!DOCTYPE svg [<!ENTITY % x SYSTEM "http://evil.example/a.dtd"> %x;]>${svg('<text>&y;</text>')}`,
			/undefined entity/,
		],
		[
			'entities of entities',
			`<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs}]>${svg('<text>&l20;</text>')}`,
			/undefined entity/,
		],
		[
			'an entity used too often',
			`<!DOCTYPE svg [<!ENTITY l "${'ha'.repeat(100)}">]>${svg(`<text>${'&l;'.repeat(2000)}</text>`)}`,
			/entities too often/,
		],
		[
			'uses of uses',
			svg(`<path id="u0" d="M0 0h9"/>${uses}<use href="#u20"/>`),
			/more than 30,000 shapes/,
		],
		[
			'a use of what it is in',
			svg('<g id="a"><path d="M0 0h9"/><use href="#a"/></g>'),
			/in a circle/,
		],
		[
			'patterns in a circle',
			svg(
				'<pattern id="a"><rect fill="url(#b)"/></pattern><pattern id="b"><rect fill="url(#a)"/></pattern><rect fill="url(#a)"/>',
			),
			/in a circle/,
		],
		[
			'markers of many points',
			svg(
				`<marker id="m">${SHAPE.repeat(100)}</marker><path d="M0 0${'h1'.repeat(500)}" marker-mid="url(#m)"/>`,
			),
			/more than 30,000 shapes/,
		],
		[
			'many filters',
			svg(
				`<filter id="f"><feGaussianBlur stdDeviation="900"/></filter>${'<rect filter="url(#f)"/>'.repeat(40)}`,
			),
			/more than 30,000 shapes/,
		],
		['many elements', svg('<desc/>'.repeat(DRAWING_LIMITS.elements)), /more than 30,000 elements/],
		['many shapes', svg('<g/>'.repeat(DRAWING_LIMITS.shapes) + SHAPE), /more than 5,000 shapes/],
		['deep nesting', svg('<g>'.repeat(60) + SHAPE + '</g>'.repeat(60)), /nested more than 50 deep/],
		[
			'a long file',
			svg(SHAPE + ' '.repeat(DRAWING_LIMITS.source)),
			/more than 2,000,000 characters/,
		],
		[
			'long outlines',
			svg(`<path d="M0 0${'h1 '.repeat(120_000)}"/>`),
			/more than 300,000 characters/,
		],
		[
			'a sheet of many rules',
			svg(`<style>${'.a .b path{fill:red}'.repeat(2000)}</style>${SHAPE.repeat(1000)}`),
			/style sheet is too long/,
		],
		['a script alone', svg('<script>evil()</script>'), /no shapes/],
		['no size', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>', /size/],
		['an unknown prefix', svg(`<inkscape:grid/>${SHAPE}`), /well-formed/],
	];
	test.each(refused)('%s', (_, source, reason) => {
		expect(() => cleanDrawing(source)).toThrow(reason);
	});
});

test('what is taken out is said, each kind once', () => {
	const { removed } = cleanDrawing(
		svg(
			`<script/><script/><path d="M0 0h9" onclick="x" fill="url(//x)"/><foreignObject/><image/><a href="//x">${SHAPE}</a><path d="M0 0h9" stroke-dasharray="0.001"/>`,
		),
	);
	expect(removed).toEqual([
		'a script (2)',
		'HTML',
		'a picture',
		'a link',
		'an event handler',
		'a reference to something elsewhere',
		'dashes too fine to be seen',
	]);
});

test('style sheets and styles become attributes, in the order that browsers give them', () => {
	const sheet = `
		path { fill: red; stroke: blue !important }
		.st0, .other { fill: #00ff00 }
		g > .st1 { fill: rgb(1, 2, 3); font: italic 700 12px/1.5 "Noto Sans", serif }
		#a path.st2 { opacity: .5 }
		.st3:hover { fill: black }`;
	expect(
		kept(
			svg(
				`<style type="text/css"><![CDATA[${sheet}]]></style><path class="st0" style="stroke:green;stroke-width:2px" d="M0 0h1"/><g id="a"><path class="st1" d="M0 0h2"/><path class="st2" fill="gray" d="M0 0h3"/></g>`,
			),
		),
	).toBe(
		'<path d="M0 0h1" fill="#00ff00" stroke="blue" stroke-width="2px"/>' +
			`<g><path d="M0 0h2" fill="rgb(1, 2, 3)" font-weight="700" font-style="italic" font-size="12px" font-family="'Noto Sans', serif" stroke="blue"/>` +
			'<path fill="red" d="M0 0h3" opacity=".5" stroke="blue"/></g>',
	);
});

test('colors of the page stay, with those of paper for where there is no page; other variables become what replaces them', () => {
	expect(
		kept(
			svg(
				'<path d="M0 0h1" fill="currentColor" stroke="var(--color-accent)"/><path d="M0 0h1" fill="var(--fill-0, #abc)" stroke="light-dark(#fff, var(--x, #000))" color="var(--evil)"/>',
			),
		),
	).toBe(
		'<path d="M0 0h1" fill="currentColor" stroke="var(--color-accent, #0e7490)"/><path d="M0 0h1" fill="#abc" stroke="#fff"/>',
	);
});

test('what is referred to gets a short id; unused definitions and stray references go', () => {
	expect(
		kept(
			svg(
				'<defs><linearGradient id="SVG one"><stop offset="0"/></linearGradient><linearGradient id="g2" xlink:href="#SVG_1"/><radialGradient id="SVG_1"><stop offset="1"/></radialGradient><clipPath id="unused"/></defs><path id="path1" fill="url(#g2) red" clip-path="url(#missing)" mask="url(#path1)" d="M0 0h1"/><use href="#path1"/><use href="#missing"/>',
			),
		),
	).toBe(
		'<defs><linearGradient href="#d2" id="d1"/><radialGradient id="d2"><stop offset="1"/></radialGradient></defs><path d="M0 0h1" fill="url(#d1) red" id="d3"/><use href="#d3"/>',
	);
});

test('of a switch the part is kept that programs without extensions show', () => {
	expect(
		kept(
			svg(
				`<switch><foreignObject/><text x="1">Label</text><path d="M1 1h1"/></switch><switch><g requiredExtensions="x">${SHAPE}</g><g>${SHAPE}</g></switch>`,
			),
		),
	).toBe(`<text x="1">Label</text><g>${SHAPE}</g>`);
});

test.each([
	['width="200" height="100"', 200, 100],
	['width="2in"', 192, 96],
	['width="100%" height="100%"', 100, 50],
	['width="90000" height="45000"', 3000, 1500],
])('a drawing with %s is %d by %d', (attributes, width, height) => {
	expect(cleanDrawing(svg(SHAPE, attributes))).toMatchObject({ width, height });
});

test('a title is what the drawing shows, and a prefix changes nothing', () => {
	const prefixed =
		'<?xml version="1.0" encoding="utf-8"?><!DOCTYPE s:svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><s:svg xmlns:s="&ns;" viewBox="0 0 100 50"><s:title>A\n house</s:title><s:path d="M0 0h9v9z"/></s:svg>';
	expect(cleanDrawing(prefixed).title).toBe('A house');
	expect(kept(prefixed)).toBe(SHAPE);
});

test.each([
	['the colors of the page', '<path d="M0 0h9" fill="var(--color-accent)"/>', false],
	['the color of its text', '<path d="M0 0h9" stroke="currentColor"/>', false],
	[
		'its own color as the current one',
		'<g color="black"><path d="M0 0h9" stroke="currentColor"/></g>',
		true,
	],
	['no color', SHAPE, true],
])(
	'a drawing with %s stands on the page, or on paper where the page is dark',
	(_, inner, isPlate) => {
		const figure = placeDrawing(
			{ id: 'a', slug: 'a', alt: 'A', caption: [] },
			svg(inner),
			'fig-a',
			1,
		);
		expect(JSON.stringify(figure).includes('"drawn-plate"')).toBe(isPlate);
	},
);
