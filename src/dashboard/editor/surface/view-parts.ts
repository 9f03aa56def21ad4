import type { Editor, NodeViewRenderer, NodeViewRendererProps } from '@tiptap/core';
import type { Node as ProseNode } from '@tiptap/pm/model';
import { TextSelection } from '@tiptap/pm/state';

type Attributes = Record<string, unknown>;

/** Gives the node of a view other attributes. */
export function change(
	{ editor, getPos }: Pick<NodeViewRendererProps, 'editor' | 'getPos'>,
	attrs: Attributes,
) {
	const pos = getPos();
	const node = pos === undefined ? null : editor.state.doc.nodeAt(pos);
	if (pos === undefined || !node) return;
	editor.view.dispatch(editor.state.tr.setNodeMarkup(pos, null, { ...node.attrs, ...attrs }));
}

/** Makes an element. */
export function make<Name extends keyof HTMLElementTagNameMap>(
	name: Name,
	attributes: Record<string, string> = {},
	...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
	const element = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
	element.append(...children);
	return element;
}

/** Draws a changed node, unless it is of another kind: what a view does to be up to date. */
export const redraws =
	({ node: { type } }: Pick<NodeViewRendererProps, 'node'>, draw: (node: ProseNode) => void) =>
	(node: ProseNode): boolean => {
		if (node.type !== type) return false;
		draw(node);
		return true;
	};

/** Marks a view while its node is selected. */
export const marksSelection = (dom: HTMLElement) => ({
	selectNode: () => dom.setAttribute('data-selected', ''),
	deselectNode: () => dom.removeAttribute('data-selected'),
});

/** Selects a node by a click on what it shows: a key then deletes, cuts or copies it. */
export function selectByClick(
	shown: HTMLElement,
	{ editor, getPos }: Pick<NodeViewRendererProps, 'editor' | 'getPos'>,
) {
	shown.addEventListener('click', () => {
		const pos = getPos();
		if (pos === undefined || !editor.isEditable) return;
		editor.view.focus();
		editor.commands.setNodeSelection(pos);
	});
}

/** Says which events a view keeps from the editor: those of its controls. */
export const ownEvents =
	(...controls: Node[]) =>
	({ target }: Event): boolean =>
		controls.some((control) => control.contains(target as Node));

/**
 * Says which changes of the page are a view's own: attributes, and what happens in its controls. What the browser puts
 * anywhere else is read as the writer's, or taken off the screen again; nothing stands there without being saved.
 */
export function ownChanges(
	content: Node,
	...controls: Node[]
): NonNullable<ReturnType<NodeViewRenderer>['ignoreMutation']> {
	return ({ type, target }) =>
		controls.some((control) => control.contains(target)) ||
		(type === 'attributes' && !content.contains(target));
}

/** Puts the cursor behind a node and the focus into the text. */
export function leave(editor: Editor, pos: number | undefined) {
	const node = pos === undefined ? null : editor.state.doc.nodeAt(pos);
	if (pos !== undefined && node) {
		const after = TextSelection.near(editor.state.doc.resolve(pos + node.nodeSize));
		editor.view.dispatch(editor.state.tr.setSelection(after));
	}
	editor.view.focus();
}

/** Has Enter and Escape lead from a field behind its node. */
export function leaveByKey(
	field: HTMLInputElement,
	{ editor, getPos }: Pick<NodeViewRendererProps, 'editor' | 'getPos'>,
) {
	field.addEventListener('keydown', (event) => {
		// Keys of an input method lead nowhere.
		if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
		event.preventDefault();
		leave(editor, getPos());
	});
}
