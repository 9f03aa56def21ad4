import { Extension } from '@tiptap/core';
import { closeHistory, undo } from '@tiptap/pm/history';
import { NodeSelection, Plugin, PluginKey, TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { formulaAtEnd } from '#src/core/articles/tex-syntax.ts';

/** Whether the last thing that happened was that typed signs became a formula. */
const justMade = new PluginKey<boolean>('typedFormula');

/** Has `$x$` and `$$` on a line of its own become formulas as they are typed. Undo and Backspace give back what was typed. */
export const TypedFormulas = Extension.create({
	name: 'typedFormulas',
	priority: 1100,
	addKeyboardShortcuts() {
		return {
			Backspace: () => {
				const { state, dispatch } = this.editor.view;
				return justMade.getState(state) === true && undo(state, dispatch);
			},
		};
	},
	addProseMirrorPlugins: () => [
		new Plugin<boolean>({
			key: justMade,
			state: {
				init: () => false,
				apply: (tr, before) =>
					tr.getMeta(justMade) === true || (before && !tr.docChanged && !tr.selectionSet),
			},
			props: { handleTextInput: type },
		}),
	],
});

function type(view: EditorView, from: number, to: number, text: string): boolean {
	if (justMade.getState(view.state)) {
		// A dollar sign that stands before a digit ends no formula, but begins a price.
		if (/^\d/.test(text)) undo(view.state, (tr) => view.dispatch(tr));
		const { tr, selection } = view.state;
		// What is typed next is undone on its own.
		view.dispatch(closeHistory(tr.insertText(text, selection.from, selection.to)).scrollIntoView());
		return true;
	}
	if (view.composing || !/^[$)]$/.test(text)) return false;
	const { state } = view;
	const $from = state.doc.resolve(from);
	const { parent, parentOffset } = $from;
	const isCode = parent.type.spec.code || $from.marks().some(({ type }) => type.spec.code);
	if (!parent.isTextblock || isCode) return false;
	const { inlineMath, blockMath } = state.schema.nodes;
	// What is no text ends what can be a formula.
	const written = parent.textBetween(0, parentOffset, '\n', '\n') + text;
	const line = written.slice(written.lastIndexOf('\n') + 1);
	const isBlock = line === '$$' && parent.type.name === 'paragraph' && parent.content.size === 1;
	const isAllowed = $from
		.node(-1)
		?.canReplaceWith($from.index(-1), $from.indexAfter(-1), blockMath!);
	const found = isBlock ? null : formulaAtEnd(line);
	if (!found && !(isBlock && isAllowed)) return false;
	view.dispatch(state.tr.insertText(text, from, to));
	const { tr } = view.state;
	if (found) {
		const start = from + text.length - found.source.length;
		const marks = tr.doc.resolve(start + 1).marks();
		tr.replaceWith(start, from + 1, inlineMath!.create({ latex: found.latex }, null, marks));
		tr.setSelection(TextSelection.create(tr.doc, start + 1));
		view.dispatch(closeHistory(tr).setMeta(justMade, true).scrollIntoView());
		return true;
	}
	const place = $from.before();
	tr.replaceWith(place, place + tr.doc.nodeAt(place)!.nodeSize, blockMath!.create());
	view.dispatch(
		closeHistory(tr.setSelection(NodeSelection.create(tr.doc, place))).scrollIntoView(),
	);
	view.nodeDOM(place)?.dispatchEvent(new Event('edit'));
	return true;
}
