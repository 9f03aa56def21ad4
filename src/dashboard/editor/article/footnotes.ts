import { Extension, type Editor } from '@tiptap/core';
import { Fragment, Slice, type Node as ProseNode } from '@tiptap/pm/model';
import {
	Plugin,
	PluginKey,
	Selection,
	TextSelection,
	type EditorState,
	type Transaction,
} from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { readArticle } from './article.ts';
import type { Pictures } from '#src/dashboard/editor/paste/local-pictures.ts';
import { footnoteNumbers } from './schema.ts';

/** Where the footnotes' section is, if there is one. */
function sectionOf(doc: ProseNode): { node: ProseNode; pos: number } | null {
	const node = doc.lastChild;
	return node?.type.name === 'footnotes' ? { node, pos: doc.content.size - node.nodeSize } : null;
}

/** Where the text of a footnote begins. */
function placeOf(doc: ProseNode, name: string): number | null {
	const section = sectionOf(doc);
	let place: number | null = null;
	section?.node.forEach((item, offset) => {
		if (item.attrs['name'] === name) place = section.pos + 1 + offset;
	});
	return place;
}

/** Where the marks of a footnote are. */
function marksOf(doc: ProseNode, name: unknown): number[] {
	const marks: number[] = [];
	doc.descendants((node, pos) => {
		if (node.type.name === 'footnoteRef' && node.attrs['name'] === name) marks.push(pos);
	});
	return marks;
}

function namesOf(doc: ProseNode): Set<string> {
	const names = new Set(footnoteNumbers(doc).keys());
	sectionOf(doc)?.node.forEach((item) => void names.add(String(item.attrs['name'])));
	return names;
}

function freshName(taken: Set<string>): string {
	let number = 1;
	while (taken.has(String(number))) number++;
	return String(number);
}

/** Puts items where their numbers belong, or begins the section with them. */
function addItems(tr: Transaction, items: ProseNode[]): void {
	const { schema } = tr.doc.type;
	const section = sectionOf(tr.doc);
	if (!section) {
		tr.insert(tr.doc.content.size, schema.nodes['footnotes']!.create(null, items));
		return;
	}
	for (const item of items) {
		const numbers = footnoteNumbers(tr.doc);
		const numberOf = (node: ProseNode) =>
			numbers.get(String(node.attrs['name']))?.number ?? Infinity;
		const { node, pos } = sectionOf(tr.doc)!;
		let at = pos + 1;
		node.forEach((other, offset) => {
			if (numberOf(other) < numberOf(item)) at = pos + 1 + offset + other.nodeSize;
		});
		tr.insert(at, item);
	}
}

/** A mark at the cursor, and the cursor in its new footnote. */
export function insertFootnote(editor: Editor): boolean {
	const { state, view } = editor;
	const { footnoteRef, footnote, paragraph } = state.schema.nodes;
	const { $from } = state.selection;
	if (
		$from.node(1)?.type.name === 'footnotes' ||
		!$from.parent.inlineContent ||
		$from.parent.type.spec.code
	)
		return false;
	const name = freshName(namesOf(state.doc));
	const tr = state.tr.insert(state.selection.to, footnoteRef!.create({ name }));
	addItems(tr, [footnote!.create({ name }, paragraph!.create())]);
	const place = placeOf(tr.doc, name);
	if (place !== null) tr.setSelection(TextSelection.near(tr.doc.resolve(place + 1)));
	view.dispatch(tr.scrollIntoView());
	view.focus();
	return true;
}

/** From a footnote's text to behind its first mark. */
function backToMark({ state, view }: Editor): boolean {
	const { $from } = state.selection;
	const item = $from.depth >= 2 ? $from.node(2) : null;
	if (item?.type.name !== 'footnote') return false;
	const [mark] = marksOf(state.doc, item.attrs['name']);
	if (mark === undefined) return false;
	const selection = TextSelection.create(state.doc, mark + 1);
	view.dispatch(state.tr.setSelection(selection).scrollIntoView());
	return true;
}

/**
 * Puts an article's HTML in the place of the selection; its footnotes join those that are there, under free names, and
 * `pictures` take their places.
 */
export function insertArticle(editor: Editor, html: string, pictures?: Pictures): boolean {
	const doc = readArticle(html);
	const { state, view } = editor;
	const local = state.schema.nodeFromJSON(doc.toJSON() as Record<string, unknown>);
	const taken = namesOf(state.doc);
	const renamed = new Map<string, string>();
	const fresh = (name: string) => {
		const known = renamed.get(name);
		if (known) return known;
		const free = taken.has(name) ? freshName(taken) : name;
		taken.add(free);
		renamed.set(name, free);
		return free;
	};
	const rename = (node: ProseNode): ProseNode => {
		if (node.isText) return node;
		const picture = node.type.name === 'picture' && pictures?.get(String(node.attrs['src']));
		if (picture) return node.type.create({ ...node.attrs, src: picture }, node.content);
		const content = Fragment.from(node.children.map(rename));
		const named = node.type.name === 'footnoteRef' || node.type.name === 'footnote';
		return named
			? node.type.create(
					{ ...node.attrs, name: fresh(String(node.attrs['name'])) },
					content,
					node.marks,
				)
			: node.copy(content);
	};
	const nodes = local.children.map(rename);
	const notes = nodes
		.filter(({ type }) => type.name === 'footnotes')
		.flatMap(({ children }) => children);
	const blocks = nodes.filter(({ type }) => type.name !== 'footnotes');
	const [first] = blocks;
	const last = blocks.at(-1);
	if (!first || !last || (blocks.length === 1 && first.content.size === 0 && first.isTextblock))
		return false;
	const open = (node: ProseNode) => (node.type.name === 'paragraph' ? 1 : 0);
	const tr = state.tr.replaceSelection(new Slice(Fragment.from(blocks), open(first), open(last)));
	if (notes.length > 0) {
		const { selection } = tr;
		addItems(tr, notes);
		tr.setSelection(Selection.near(tr.doc.resolve(Math.min(selection.from, tr.doc.content.size))));
	}
	view.dispatch(tr.scrollIntoView().setMeta('paste', true));
	return true;
}

function decorations({ doc }: EditorState): DecorationSet {
	const numbers = footnoteNumbers(doc);
	const found: Decoration[] = [];
	doc.descendants((node, pos) => {
		if (node.type.name !== 'footnoteRef' && node.type.name !== 'footnote') return;
		const number = numbers.get(String(node.attrs['name']))?.number;
		const orphan: Record<string, string> = number === undefined ? { class: 'orphan' } : {};
		found.push(
			Decoration.node(pos, pos + node.nodeSize, {
				'data-number': String(number ?? '–'),
				...orphan,
			}),
		);
	});
	return DecorationSet.create(doc, found);
}

/** Numbers footnotes as the article will, leads from a mark to its text, and takes an emptied footnote away. */
export const FootnoteKeeping = Extension.create({
	name: 'footnoteKeeping',
	// Before those who break a line with the same keys.
	priority: 150,
	addKeyboardShortcuts() {
		return {
			'Mod-Alt-f': () => insertFootnote(this.editor),
			'Mod-Enter': () => backToMark(this.editor),
			Escape: () => backToMark(this.editor),
			Backspace: () => {
				const { state, view } = this.editor;
				const { $from, empty } = state.selection;
				const item = $from.depth >= 3 ? $from.node(2) : null;
				if (!empty || item?.type.name !== 'footnote' || item.textContent || item.content.size > 2)
					return false;
				const name: unknown = item.attrs['name'];
				const section = $from.node(1);
				const whole = section.childCount === 1;
				const tr = state.tr.delete($from.before(whole ? 1 : 2), $from.after(whole ? 1 : 2));
				let back: number | null = null;
				for (const pos of marksOf(tr.doc, name).reverse()) {
					tr.delete(pos, pos + 1);
					back = pos;
				}
				tr.setSelection(TextSelection.near(tr.doc.resolve(back ?? tr.doc.content.size), -1));
				view.dispatch(tr.scrollIntoView());
				return true;
			},
		};
	},
	addProseMirrorPlugins() {
		return [
			new Plugin({
				key: new PluginKey('footnotes'),
				props: {
					decorations,
					handleClickOn(view, _pos, node) {
						if (node.type.name !== 'footnoteRef') return false;
						const place = placeOf(view.state.doc, String(node.attrs['name']));
						if (place === null) return false;
						const selection = TextSelection.near(view.state.doc.resolve(place + 1));
						view.dispatch(view.state.tr.setSelection(selection).scrollIntoView());
						return true;
					},
				},
			}),
		];
	},
});
