import { Extension, type Editor } from '@tiptap/core';
import { Placeholder } from '@tiptap/extensions';
import { NodeSelection, Selection, TextSelection } from '@tiptap/pm/state';
import { FootnoteKeeping } from '#src/dashboard/editor/article/footnotes.ts';
import {
	articleExtensions,
	BlockMath,
	Callout,
	EmbedNode,
	Gallery,
	Html,
	InlineMath,
	Picture,
} from '#src/dashboard/editor/article/schema.ts';
import { isFigure, type DrawBlock } from '#src/dashboard/editor/plots/below.ts';
import { insertMath } from './commands.ts';
import { Find } from './find.ts';
import { TrailingParagraph } from './trailing-paragraph.ts';
import { TypedFormulas } from './typed-formulas.ts';
import { embedView, galleryView } from './media-views.ts';
import { UploadPlaces } from './uploads.ts';
import { calloutView, highlightedCode, htmlView, mathView, pictureView } from './views.ts';

/** Opens what is selected. Returns whether that can be opened. */
function openSelected({ state, view }: Editor): boolean {
	const { selection } = state;
	if (!(selection instanceof NodeSelection)) return false;
	const dom = view.nodeDOM(selection.from) as HTMLElement | null;
	const { type, attrs } = selection.node;
	const isOpened =
		/^(inlineMath|blockMath|html|gallery)$/.test(type.name) || isFigure(attrs['language']);
	const field = /^(picture|embed)$/.test(type.name)
		? dom?.querySelector<HTMLElement>('input:not([hidden]), button')
		: null;
	if (isOpened) dom?.dispatchEvent(new Event('edit'));
	field?.focus();
	return isOpened || field != null;
}

/** Selects the figure that an arrow leads to, whose text is hidden. */
function selectFigure(
	{ state, view, commands }: Editor,
	to: 'up' | 'down' | 'backward' | 'forward',
): boolean {
	const { selection } = state;
	const isCursor = selection instanceof TextSelection && selection.empty;
	if (!isCursor || !view.endOfTextblock(to)) return false;
	const { $head } = selection;
	const isBack = to === 'up' || to === 'backward';
	const $edge = state.doc.resolve(isBack ? $head.before() : $head.after());
	const next = Selection.findFrom($edge, isBack ? -1 : 1);
	const place = next?.$head.parent.isTextblock ? next.$head.before() : -1;
	const dom = place >= 0 ? view.nodeDOM(place) : null;
	const isFolded = dom instanceof HTMLElement && dom.hasAttribute('data-folded');
	return isFolded && commands.setNodeSelection(place);
}

/** Enter opens a selected formula, figure, picture or block of HTML; a key begins a formula. */
const OpenSelected = Extension.create({
	name: 'openSelected',
	priority: 200,
	addKeyboardShortcuts() {
		const { editor } = this;
		return {
			Enter: () => openSelected(editor),
			ArrowUp: () => selectFigure(editor, 'up'),
			ArrowLeft: () => selectFigure(editor, 'backward'),
			ArrowDown: () => selectFigure(editor, 'down'),
			ArrowRight: () => selectFigure(editor, 'forward'),
			'Mod-Alt-m': () => {
				insertMath(editor, 'inlineMath');
				return true;
			},
		};
	},
});

/** All that the surface can hold and does by itself. `onEscape` is asked where nothing else in the text takes that key. */
export function surfaceExtensions(drawBlock: DrawBlock, onEscape: () => boolean = () => false) {
	return [
		...articleExtensions([
			highlightedCode(drawBlock),
			Picture.extend({ addNodeView: () => pictureView }),
			InlineMath.extend({ addNodeView: () => mathView }),
			BlockMath.extend({ addNodeView: () => mathView }),
			Callout.extend({ addNodeView: () => calloutView }),
			EmbedNode.extend({ addNodeView: () => embedView }),
			Gallery.extend({ addNodeView: () => galleryView }),
			Html.extend({ addNodeView: () => htmlView }),
		]),
		FootnoteKeeping,
		TrailingParagraph,
		TypedFormulas,
		Find,
		UploadPlaces,
		Placeholder.configure({
			placeholder: 'Write, or press / for blocks. Markdown works.',
			showOnlyWhenEditable: true,
		}),
		OpenSelected,
		Extension.create({
			name: 'escape',
			priority: 1,
			addKeyboardShortcuts: () => ({ Escape: onEscape }),
		}),
	];
}
