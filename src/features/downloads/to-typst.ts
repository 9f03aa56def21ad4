import type { Element, ElementContent, Root, RootContent } from 'hast';
import { toString } from 'hast-util-to-string';
import { visit } from 'unist-util-visit';

/** The chapter that an article is set as, and what the converter asks of the rest of the document. */
export type Setting = {
	/** The level of the heading above the article's own. */
	level: number;
	/** The name of the chapter's place, which the names of its own places begin with. */
	id: string;
	color: string;
	siteUrl: string;
	/** Places of other chapters: links to them lead there. */
	places: ReadonlySet<string>;
	/** Returns a formula in Typst's own notation, or null for TeX that cannot be set. */
	toFormula: (latex: string) => string | null;
	/** Takes a drawn picture along and returns the name of its file. A document without drawings has none. */
	toPicture?: (svg: Element) => string;
	/** Returns a text whose characters all have a glyph. */
	printable: (text: string) => string;
};

/** Maximum depth of elements within elements; deeper ones are set as text. */
const DEEPEST = 24;

/**
 * Returns an article as an expression in Typst that calls the functions of `template.typ`. Every word of it is in a
 * string literal, so that no text of an article is ever read as markup or code.
 */
export function toTypst(tree: Root, setting: Setting): string {
	return new Converter(tree, setting).blocks(tree.children, 0);
}

/** Returns a text as a string literal. */
export function quoted(text: string): string {
	return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

/** Returns a color of six hexadecimal digits; another one is the site's own. */
export function rgb(color: string): string {
	return `rgb(${quoted(/^#[\da-f]{6}$/i.test(color) ? color : '#0e7490')})`;
}

/** Returns a call of a function with these arguments, each an expression; `body` is the last one, without a name. */
export function call(name: string, { body, ...named }: Record<string, string>): string {
	const all = Object.entries(named).map(([key, value]) => `${key}: ${value}`);
	return `${name}(${[...all, body].filter(Boolean).join(', ')})`;
}

/** Returns the widest picture of a drawn figure. */
function pictureOf({ children }: Element): Element | undefined {
	const isPicture = (child: ElementContent): child is Element =>
		child.type === 'element' && child.tagName === 'svg';
	const scrolled = children.flatMap((child) =>
		child.type === 'element' && child.tagName === 'div' ? child.children : [child],
	);
	return scrolled.find(isPicture);
}

const HEADING = /^h[2-6]$/;
const BLOCK =
	/^(p|h[1-6]|ul|ol|dl|dt|dd|li|blockquote|aside|section|figure|table|pre|hr|div|details|summary)$/;

const INLINE: Record<string, string> = {
	strong: 'strong',
	b: 'strong',
	em: 'emph',
	i: 'emph',
	cite: 'emph',
	sup: 'super',
	sub: 'sub',
	del: 'strike',
	s: 'strike',
	ins: 'underline',
	mark: 'highlight',
	code: 'inline-code',
	kbd: 'inline-code',
	samp: 'inline-code',
	tt: 'inline-code',
};

class Converter {
	readonly #setting: Setting;
	/** Ids of the headings and notes that are set, each once. */
	readonly #ids = new Set<string>();
	#level: number;

	constructor(tree: Root, setting: Setting) {
		this.#setting = setting;
		this.#level = setting.level;
		visit(tree, 'element', ({ tagName, properties }) => {
			if (properties.id && (HEADING.test(tagName) || tagName === 'li')) {
				this.#ids.add(String(properties.id));
			}
		});
	}

	/** Returns blocks in their order; what stands between them becomes paragraphs. */
	blocks(nodes: RootContent[], depth: number): string {
		const parts: string[] = [];
		let followsParagraph = false;
		for (let index = 0; index < nodes.length; index++) {
			const node = nodes[index]!;
			const loose: ElementContent[] = [];
			while (index < nodes.length && isInline(nodes[index]!)) {
				loose.push(nodes[index++] as ElementContent);
			}
			if (loose.length > 0) {
				index--;
				const text = this.#text(loose, depth);
				if (text !== '{}') parts.push(`par(${text})`);
				followsParagraph = text !== '{}';
				continue;
			}
			if (node.type !== 'element') continue;
			if (node.tagName === 'p') {
				const next = nodes.slice(index + 1).find((one) => one.type === 'element');
				const announces = next && next.tagName !== 'p' && /:\s*$/.test(toString(node));
				const text = this.#text(node.children, depth + 1);
				parts.push(announces ? `announcing(${followsParagraph}, ${text})` : `par(${text})`);
				followsParagraph = true;
			} else {
				parts.push(this.#block(node, depth + 1));
				followsParagraph = false;
			}
		}
		return braced(parts);
	}

	#block(node: Element, depth: number): string {
		const { tagName, properties, children } = node;
		if (depth > DEEPEST) return `par(${this.#words(toString(node))})`;
		if (typeof properties.dataLatex === 'string') return this.#formula(properties.dataLatex, true);
		if (HEADING.test(tagName)) return this.#heading(node, depth);
		switch (tagName) {
			case 'ul':
			case 'ol':
				return this.#list(node, depth);
			case 'blockquote':
				return `quotation(${this.blocks(children, depth)})`;
			case 'aside':
				return `callout(${quoted(String(properties.dataCallout ?? 'note'))}, ${this.#color}, ${this.blocks(children, depth)})`;
			case 'section':
				return 'dataFootnotes' in properties
					? this.#notes(node, depth)
					: this.blocks(children, depth);
			case 'figure': {
				const isCaption = (child: ElementContent) =>
					child.type === 'element' && child.tagName === 'figcaption';
				const caption = children.find(isCaption) as Element | undefined;
				const body = children.filter((child) => !isCaption(child));
				const text = caption ? this.#text(caption.children, depth) : 'none';
				const picture = pictureOf(node);
				const { toPicture } = this.#setting;
				if (picture && toPicture) {
					return `plate(${text}, ${this.#drawn(picture, toPicture(picture))})`;
				}
				return `captioned(${text}, ${this.blocks(body, depth)})`;
			}
			case 'table':
				return this.#table(node, depth);
			case 'pre':
				return this.#code(node);
			case 'hr':
				return '';
			default:
				return this.blocks(children, depth);
		}
	}

	/** Returns a heading. No level is left out, even where the article does: readers who listen go from level to level. */
	#heading(node: Element, depth: number): string {
		const { className, id } = node.properties;
		if (Array.isArray(className) && className.includes('sr-only')) return '';
		const own = this.#setting.level + Number(node.tagName[1]) - 1;
		this.#level = Math.min(own, this.#level + 1);
		const isLarge = node.tagName === 'h2';
		return `section(${this.#level}, ${id ? this.#place(String(id)) : 'none'}, ${isLarge}, ${this.#text(node.children, depth)})`;
	}

	#list(node: Element, depth: number): string {
		const items = elementsOf(node);
		const isTight = !items.some((item) => elementsOf(item).some(({ tagName }) => tagName === 'p'));
		const start = Number(node.properties.start ?? 1);
		const first = Number.isInteger(start) && start >= 0 && start < 1e6 ? start : 1;
		const opening = node.tagName === 'ul' ? 'list(' : `enum(start: ${first}, `;
		const set = items.map((item) => this.#item(item, depth)).join(', ');
		// Without a break a list stands as close to a paragraph as a line of it.
		return `parbreak(); ${opening}tight: ${isTight}, ${set})`;
	}

	/** Returns a list's item. Words that are in no paragraph stay in none. */
	#item(item: Element, depth: number): string {
		const at = item.children.findIndex((node) => !isInline(node));
		if (at === -1) return this.#text(item.children, depth);
		const text = this.#text(item.children.slice(0, at), depth);
		const rest = this.blocks(item.children.slice(at), depth);
		return text === '{}' ? rest : `{${text}; parbreak(); ${rest}}`;
	}

	/** Returns a drawing in the size that its words were set for, up to the width of the column. */
	#drawn(svg: Element, file: string): string {
		const { width, ariaLabel } = svg.properties;
		const share = Math.min(100, Math.round(Number(width) / 7.04));
		return `drawn(${quoted(file)}, ${share}%, ${this.#words(String(ariaLabel))})`;
	}

	#table(node: Element, depth: number): string {
		const rows = rowsOf(node);
		const columns = Math.max(1, ...rows.map((row) => elementsOf(row).length));
		const isHead = (row: Element) => elementsOf(row).every(({ tagName }) => tagName === 'th');
		const [first, ...others] = rows;
		if (!first) return '';
		const cells = (row: Element) => {
			const set = elementsOf(row).map((cell) => {
				const text = this.#text(cell.children, depth);
				return cell.tagName === 'th' ? `head-cell(${text})` : `table.cell(${text})`;
			});
			while (set.length < columns) set.push('[]');
			return listed(set);
		};
		const alignments = Array.from({ length: columns }, (_, column) => {
			const aligned = rows
				.map((row) => elementsOf(row)[column]?.properties.align)
				.find((align) => align === 'right' || align === 'center');
			return aligned ?? 'left';
		});
		const head = isHead(first) ? cells(first) : 'none';
		const body = (isHead(first) ? others : rows).map(cells);
		return `rows(${[columns, listed(alignments), head, ...body].join(', ')})`;
	}

	#code(node: Element): string {
		const code = elementsOf(node).find(({ tagName }) => tagName === 'code');
		const { className } = code?.properties ?? {};
		const language =
			Array.isArray(className) &&
			className.map(String).find((name) => name.startsWith('language-'));
		const source = toString(node).replace(/\n+$/, '').replaceAll('\t', '    ');
		const name = language ? quoted(language.slice('language-'.length)) : 'none';
		return `code(${this.#words(source)}, ${name})`;
	}

	#notes(node: Element, depth: number): string {
		const items = elementsOf(node)
			.filter(({ tagName }) => tagName === 'ol')
			.flatMap(elementsOf);
		const set = items.map((item) => {
			const { id } = item.properties;
			const words = item.children.flatMap((child) =>
				child.type === 'element' && child.tagName === 'p' ? child.children : [child],
			);
			return `(${id ? this.#place(String(id)) : 'none'}, ${this.#text(words, depth)})`;
		});
		return `notes(${[this.#color, ...set].join(', ')})`;
	}

	/** Returns words and what stands among them, without the spaces around. */
	#text(nodes: ElementContent[], depth: number): string {
		const parts = this.#inlines(nodes, depth + 1);
		const trim = (index: number, pattern: RegExp) => {
			const part = parts.at(index);
			if (part?.startsWith('"'))
				parts[parts.length && (index + parts.length) % parts.length] = part.replace(pattern, '"');
		};
		trim(0, /^" +/);
		trim(-1, / +"$/);
		return braced(parts.filter((part) => part !== '""'));
	}

	#inlines(nodes: ElementContent[], depth: number): string[] {
		return nodes.flatMap((node): string[] => {
			if (node.type === 'text') return [this.#words(node.value.replace(/[ \t\r\n\f]+/g, ' '))];
			if (node.type !== 'element') return [];
			const { tagName, properties, children } = node;
			if (depth > DEEPEST) return [this.#words(toString(node))];
			if (typeof properties.dataLatex === 'string') return [this.#formula(properties.dataLatex)];
			const inner = () => braced(this.#inlines(children, depth + 1));
			switch (tagName) {
				case 'br':
					return ['linebreak()'];
				case 'a':
					return this.#link(node, inner);
				case 'img':
					return [`emph(${this.#words(String(properties.alt ?? ''))})`];
				case 'input':
					return [`inline-code(${quoted(properties.checked ? '[x] ' : '[ ] ')})`];
				default: {
					const call = INLINE[tagName];
					return call ? [`${call}(${inner()})`] : this.#inlines(children, depth + 1);
				}
			}
		});
	}

	#link({ properties }: Element, inner: () => string): string[] {
		const { className } = properties;
		if (Array.isArray(className) && className.includes('anchor')) return [];
		if ('dataFootnoteBackref' in properties) return [];
		const href = String(properties.href ?? '');
		const [path = '', hash] = href.split('#');
		const { id, siteUrl, places } = this.#setting;
		if (path === '' || path === id) {
			if (hash && this.#ids.has(hash)) return [`inward(${this.#place(hash)}, ${inner()})`];
			return path === id ? [`inward(${quoted(id)}, ${inner()})`] : [inner()];
		}
		if (places.has(path)) return [`see(${quoted(path)}, ${inner()})`];
		return [`outward(${quoted(href.startsWith('/') ? siteUrl + href : href)}, ${inner()})`];
	}

	#formula(latex: string, isBlock = false): string {
		const typst = this.#setting.toFormula(latex);
		if (typst === null)
			return isBlock ? `code(${this.#words(latex)}, none)` : `inline-code(${this.#words(latex)})`;
		return `${isBlock ? 'formula' : 'inline-formula'}(${quoted(typst)}, ${quoted(latex)})`;
	}

	get #color(): string {
		return rgb(this.#setting.color);
	}

	#place(id: string): string {
		return quoted(`${this.#setting.id}#${id}`);
	}

	#words(text: string): string {
		// What no line has room for may be broken anywhere.
		const broken = this.#setting.printable(text).replace(/\S{60}(?=\S{20})/gu, '$&\u200b');
		return quoted(broken);
	}
}

const braced = (parts: string[]) => `{${parts.filter(Boolean).join('; ')}}`;

/** Returns an array; one of a single part has a comma too. */
export const listed = (parts: string[]) => (parts.length > 0 ? `(${parts.join(', ')},)` : '()');

const isInline = (node: RootContent) =>
	node.type === 'text' ||
	(node.type === 'element' &&
		!BLOCK.test(node.tagName) &&
		node.properties.dataType !== 'block-math');

const elementsOf = (node: Element) => node.children.filter((child) => child.type === 'element');

function rowsOf(node: Element): Element[] {
	return elementsOf(node).flatMap((child) => (child.tagName === 'tr' ? [child] : rowsOf(child)));
}
