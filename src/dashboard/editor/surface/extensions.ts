import { Extension } from '@tiptap/core';
import { Placeholder } from '@tiptap/extensions';
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
import type { DrawBlock } from '#src/dashboard/editor/plots/below.ts';
import { insertMath } from './commands.ts';
import { Find } from './find.ts';
import { TrailingParagraph } from './trailing-paragraph.ts';
import { TypedFormulas } from './typed-formulas.ts';
import { embedView, galleryView } from './media-views.ts';
import { UploadPlaces } from './uploads.ts';
import { calloutView, highlightedCode, htmlView, mathView, pictureView } from './views.ts';

/** Enter opens a selected formula or block of HTML; a key begins a formula. */
const OpenSelected = Extension.create({
	name: 'openSelected',
	priority: 200,
	addKeyboardShortcuts() {
		return {
			Enter: () => {
				const { selection } = this.editor.state;
				const node = 'node' in selection ? (selection.node as { type: { name: string } }) : null;
				if (!node || !/^(inlineMath|blockMath|html)$/.test(node.type.name)) return false;
				this.editor.view.nodeDOM(selection.from)?.dispatchEvent(new Event('edit'));
				return true;
			},
			'Mod-Alt-m': () => {
				insertMath(this.editor, 'inlineMath');
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
