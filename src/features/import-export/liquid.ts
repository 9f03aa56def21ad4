import { fenced } from './markdown-dialects.ts';

/** Data about a Jekyll site that its Liquid templates need. */
export type JekyllSite = {
	/** String values of `_config.yml` by key. */
	config: ReadonlyMap<string, string>;
	/** Where a post stands here, by its file's name without ending; undefined where it is not there. */
	pathOf: (name: string) => string | undefined;
};

/**
 * Markdown without Liquid: code, addresses and lists that can be told are written out, and what remains stays as text and
 * is told.
 */
export function withoutLiquid(
	source: string,
	{ config, pathOf }: JekyllSite,
	report: (what: string, detail: string) => void,
): string {
	if (!/\{[{%]/.test(source)) return source;
	const raw: string[] = [];
	const names = new Map([...config].map(([name, value]) => [`site.${name}`, value]));
	// Pages stand at the root here.
	names.set('site.baseurl', '').set('site.url', '');
	const written = (what: string, tag: string, text: string) => {
		report(what, tag.split('\n', 1)[0]!.slice(0, 100));
		return text;
	};
	let text = source
		.replace(/\{%-?\s*raw\s*-?%\}([^]*?)\{%-?\s*endraw\s*-?%\}/g, (_, inner: string) => {
			raw.push(inner);
			return `\0${raw.length - 1}\0`;
		})
		.replace(/\{%-?\s*comment\s*-?%\}[^]*?\{%-?\s*endcomment\s*-?%\}/g, (tag) =>
			written('Left out: a comment', tag, ''),
		)
		.replace(
			/\{%-?\s*highlight\s+([\w+#-]+)[^%]*?-?%\}\n?([^]*?)\n?[ \t]*\{%-?\s*endhighlight\s*-?%\}/g,
			(tag, language: string, code: string, at: number, all: string) =>
				written('Is a code block', tag, fenced(language, code, { source: all, at, tag })),
		);
	text = expandLoops(text, written);
	text = text
		.replace(/\{%-?\s*post_url\s+([^\s%]+)\s*-?%\}/g, (tag, name: string) =>
			linked(tag, name.split('/').at(-1)!),
		)
		.replace(/\{%-?\s*link\s+([^%]+?)\s*-?%\}/g, (tag, path: string) =>
			linked(
				tag,
				path
					.split('/')
					.at(-1)!
					.replace(/\.\w+$/, ''),
			),
		)
		.replace(/\{%-?\s*youtube\s+["']?([\w-]+)["']?\s*-?%\}/g, (tag, id: string) =>
			written('Kept as a link', tag, `https://www.youtube.com/watch?v=${id}`),
		)
		.replace(
			/\{%-?\s*(?:embed|link|codepen|jsfiddle|replit|stackblitz|codesandbox|github)\s+(https?:\/\/[^\s%]+)\s*-?%\}/g,
			(tag, address: string) => written('Kept as a link', tag, address),
		)
		.replace(/\{%-?\s*katex\b[^%]*%\}([^]*?)\{%-?\s*endkatex\s*-?%\}/g, (tag, tex: string) =>
			written('Is a formula', tag, `\n\n$$\n${tex.trim()}\n$$\n\n`),
		)
		.replace(
			/\{%-?\s*details\s+([^%]*?)\s*-?%\}([^]*?)\{%-?\s*enddetails\s*-?%\}/g,
			(tag, summary: string, body: string) =>
				written(
					'Is a part that opens',
					tag,
					`\n\n<details><summary>${summary}</summary>\n\n${body.trim()}\n\n</details>\n\n`,
				),
		)
		.replace(/\{%-?\s*(?:twitter|tweet|x)\s+(\d+)\s*-?%\}/g, (tag, id: string) =>
			written('Kept as a link', tag, `https://x.com/i/status/${id}`),
		)
		.replace(/\{%-?\s*gist\s+([\w/-]+)[^%]*-?%\}/g, (tag, id: string) =>
			written('Kept as a link', tag, `https://gist.github.com/${id}`),
		)
		.replace(/\{\{-?\s*([^{}]+?)\s*-?\}\}/g, (tag, expression: string) => {
			const value = valueOf(expression, names);
			return value === undefined ? tag : written('Is written out', tag, value);
		});
	for (const [tag] of text.matchAll(/\{%[^]*?%\}|\{\{[^]*?\}\}/g)) {
		report('Stays as it is written', tag.split('\n', 1)[0]!.slice(0, 100));
	}
	// An address with spaces is none, and the link that names it would fall apart.
	return text
		.replace(
			/(\]\(|^ {0,3}\[[^\]\n]+\]:\s*)((?:[^\s()<>]*\{[{%][^\n]*?[%}]\})+[^\s()]*)/gm,
			'$1<$2>',
		)
		.replace(/\0(\d+)\0/g, (_, index: string) => raw[Number(index)] ?? '');

	function linked(tag: string, name: string): string {
		const path = pathOf(name);
		return path === undefined ? tag : written('Is written out', tag, path);
	}
}

/** Loops over a list that stands in the text itself. */
function expandLoops(text: string, written: (what: string, tag: string, text: string) => string) {
	const lists = new Map<string, string[]>();
	return text
		.replace(
			/\{%-?\s*assign\s+(\w+)\s*=\s*"([^"]*)"\s*\|\s*split:\s*"([^"]+)"\s*-?%\}\n?/g,
			(tag, name: string, values: string, between: string) => {
				lists.set(name, values.split(between));
				return written('Is written out', tag, '');
			},
		)
		.replace(
			/\{%-?\s*for\s+(\w+)\s+in\s+(\w+)\s*-?%\}\n?([^]*?)\{%-?\s*endfor\s*-?%\}\n?/g,
			(tag, variable: string, name: string, body: string) => {
				const list = lists.get(name);
				if (!list) return tag;
				const place = new RegExp(`\\{\\{-?\\s*${variable}\\s*-?\\}\\}`, 'g');
				const all = list.map((value) => body.replace(place, () => value)).join('');
				return written('Is written out', tag, all);
			},
		);
}

/** Evaluates an expression: a string or a known name, with filters that only complete an address. */
function valueOf(expression: string, names: ReadonlyMap<string, string>): string | undefined {
	const [first = '', ...filters] = expression.split('|').map((part) => part.trim());
	const isAddress = (filter: string) =>
		/^(relative_url|absolute_url|(prepend|append):\s*site\.(baseurl|url))$/.test(filter);
	if (!filters.every(isAddress)) return undefined;
	const [, quoted] = /^["']([^"']*)["']$/.exec(first) ?? [];
	return quoted ?? names.get(first);
}
