import { Extension } from '@tiptap/core';
import { GapCursor } from '@tiptap/pm/gapcursor';
import { Fragment, Slice, type Node as ProseNode } from '@tiptap/pm/model';
import {
	NodeSelection,
	Plugin,
	PluginKey,
	Selection,
	TextSelection,
	type EditorState,
	type Transaction,
} from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { bodyEnd } from '#src/dashboard/editor/article/schema.ts';

/** Blocks that have no line of their own behind them. */
const CLOSED =
	/^(table|callout|codeBlock|picture|gallery|embed|exhibit|html|blockMath|horizontalRule)$/;

/** Where an article that ends with a closed block needs a paragraph, or null. */
function missingParagraphAt(doc: ProseNode): number | null {
	const end = bodyEnd(doc);
	return CLOSED.test(doc.resolve(end).nodeBefore?.type.name ?? '') ? end : null;
}

/** An article with a line to go on writing in. Empty paragraphs are not stored: the article stays as it is. */
export function withTrailingParagraph(doc: ProseNode): ProseNode {
	const at = missingParagraphAt(doc);
	if (at === null) return doc;
	const line = doc.type.schema.nodes['paragraph']!.create();
	return doc.replace(at, at, new Slice(Fragment.from(line), 0, 0));
}

/** Takes a cursor that the browser put beside the words of a box, or nowhere, into them, before a key is read. */
function fixCursor(view: EditorView): void {
	const { anchorNode, anchorOffset, isCollapsed } = view.dom.ownerDocument.getSelection() ?? {};
	const { doc, selection, tr } = view.state;
	if (!view.hasFocus()) return;
	// It finds no place in a text that begins with a block's controls.
	if (!anchorNode) return view.focus();
	if (!isCollapsed || !(anchorNode instanceof Element) || !view.dom.contains(anchorNode)) return;
	if (!(selection instanceof TextSelection)) return;
	const $pos = doc.resolve(view.posAtDOM(anchorNode, anchorOffset ?? 0));
	if ($pos.parent.inlineContent) return;
	view.dispatch(tr.setSelection(Selection.near($pos)));
	// Where the editor thought so all along, it is the page that has to follow.
	view.focus();
}

/** Returns the cursor's way into an empty line at a place between blocks, which is made where there is none. */
function intoLineAt({ doc, tr, schema }: EditorState, at: number): Transaction {
	const next = doc.resolve(at).nodeAfter;
	if (next?.type.name !== 'paragraph' || next.childCount > 0)
		tr.insert(at, schema.nodes['paragraph']!.create());
	return tr.setSelection(TextSelection.create(tr.doc, at + 1));
}

/** Leaves a block that is selected as a whole for the line below it, so that what is written next takes nothing away. */
function leaveSelectedBlock(view: EditorView): boolean {
	const { selection } = view.state;
	if (!(selection instanceof NodeSelection) || !selection.node.isBlock) return false;
	const { $to, to } = selection;
	const paragraph = view.state.schema.nodes['paragraph']!;
	if (!$to.parent.canReplaceWith($to.index(), $to.index(), paragraph)) return false;
	view.dispatch(intoLineAt(view.state, to));
	return true;
}

/** Keeps a line behind the last block, a place for the cursor before and between closed ones, and a key out of each. */
export const TrailingParagraph = Extension.create({
	name: 'room',
	// Before those who break a line with the same keys.
	priority: 150,
	extendNodeSchema: ({ name }) => ({ createGapCursor: /^(callout|codeBlock)$/.test(name) }),
	addKeyboardShortcuts() {
		return {
			// The browser would put the cursor beside the words of a box.
			'Mod-Home': () => {
				const { state, view } = this.editor;
				const start = state.doc.firstChild?.isAtom
					? new GapCursor(state.doc.resolve(0))
					: Selection.atStart(state.doc);
				view.dispatch(state.tr.setSelection(start).scrollIntoView());
				return true;
			},
			'Mod-Enter': () => {
				const { state, view } = this.editor;
				const { $from } = state.selection;
				if ($from.depth === 0 || !CLOSED.test($from.node(1).type.name)) return false;
				view.dispatch(intoLineAt(state, $from.after(1)).scrollIntoView());
				return true;
			},
		};
	},
	addProseMirrorPlugins: () => [
		new Plugin({
			key: new PluginKey('room'),
			appendTransaction: (_transactions, _before, { doc, tr, schema }) => {
				const at = missingParagraphAt(doc);
				return at === null ? null : tr.insert(at, schema.nodes['paragraph']!.create());
			},
			props: {
				handleTextInput: (view, _from, _to, text) => {
					if (!leaveSelectedBlock(view)) return false;
					view.dispatch(view.state.tr.insertText(text).scrollIntoView());
					return true;
				},
				handleDOMEvents: {
					keydown: (view) => {
						fixCursor(view);
						return false;
					},
					compositionstart: (view) => {
						leaveSelectedBlock(view);
						return false;
					},
					paste: (view) => {
						leaveSelectedBlock(view);
						return false;
					},
				},
			},
		}),
	],
});
