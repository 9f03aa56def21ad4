import type { ChainedCommands, Editor } from '@tiptap/core';
import { insertFootnote } from '#src/dashboard/editor/article/footnotes.ts';

/** Something that the toolbar, the menu behind `/` or a key does to the text. */
export type Command = {
	id: string;
	label: string;
	/** As a person reads it: Ctrl stands for Cmd on a Mac. */
	keys?: string;
	/** Two letters, a word, or a path in a box of 24. */
	icon: { text: string } | { path: string };
	/** Other words that find it in the menu behind `/`. */
	words?: string;
	/** Stands in the menu behind `/`. */
	slash?: boolean;
	/** Not in the toolbar, which has one line: a key, `/` or the menu beside selected words does it. */
	hidden?: boolean;
	run: (editor: Editor) => void;
	active?: (editor: Editor) => boolean;
};

/** Commands that need the page around the editor. */
export type Requests = Record<
	'link' | 'image' | 'gallery' | 'library' | 'embed' | 'plot' | 'diagram' | 'find',
	() => void
>;

const chain = (editor: Editor, what: (chain: ChainedCommands) => ChainedCommands) => {
	what(editor.chain().focus()).run();
};
const mark = (id: string, label: string, keys: string, icon: Command['icon']): Command => ({
	id,
	label,
	keys,
	icon,
	run: (editor) => chain(editor, (c) => c.toggleMark(id)),
	active: (editor) => editor.isActive(id),
});
const heading = (level: 2 | 3 | 4): Command => ({
	id: `heading${level}`,
	label: `Heading ${level}`,
	keys: `Ctrl+Alt+${level}`,
	icon: { text: `H${level}` },
	words: `h${level} title section`,
	slash: true,
	hidden: level === 4,
	run: (editor) => chain(editor, (c) => c.toggleHeading({ level })),
	active: (editor) => editor.isActive('heading', { level }),
});

/** Puts a figure in the place of the selection, and selects it. */
export function insertFigure(editor: Editor, language: string, text: string): void {
	const content = [{ type: 'text', text }];
	const { from } = editor.state.selection;
	chain(editor, (c) => c.insertContent({ type: 'codeBlock', attrs: { language }, content }));
	editor.commands.setNodeSelection(nearest(editor, 'codeBlock', from));
}

/** Gives the figure at a place another text, and selects it. */
export function replaceFigure(editor: Editor, pos: number, text: string): void {
	const node = editor.state.doc.nodeAt(pos);
	if (node?.type.name !== 'codeBlock') return;
	const range = { from: pos + 1, to: pos + node.nodeSize - 1 };
	chain(editor, (c) => c.insertContentAt(range, { type: 'text', text }).setNodeSelection(pos));
}

/** Puts the cursor into the text of a block. */
export function writeIn(editor: Editor, pos: number): void {
	chain(editor, (c) => c.setTextSelection(pos + 1));
}

/** Every command, in groups as the toolbar shows them. */
export function commandGroups(requests: Requests): Command[][] {
	const { link, image, gallery, library, embed, plot, diagram, find } = requests;
	return [
		[heading(2), heading(3), heading(4)],
		[
			mark('bold', 'Bold', 'Ctrl+B', { text: 'B' }),
			mark('italic', 'Italic', 'Ctrl+I', { text: 'I' }),
			{ ...mark('strike', 'Strikethrough', 'Ctrl+Shift+S', { text: 'S' }), hidden: true },
			mark('code', 'Code', 'Ctrl+E', { path: 'm9 7-5 5 5 5m6-10 5 5-5 5' }),
			{
				id: 'link',
				label: 'Link',
				keys: 'Ctrl+K',
				icon: {
					path: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1m2 4a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
				},
				run: link,
				active: (editor) => editor.isActive('link'),
			},
		],
		[
			{
				id: 'bulletList',
				label: 'Bulleted list',
				keys: 'Ctrl+Shift+8',
				icon: { path: 'M9 6h11M9 12h11M9 18h11M4 6h1M4 12h1M4 18h1' },
				words: 'ul unordered points',
				slash: true,
				run: (editor) => chain(editor, (c) => c.toggleBulletList()),
				active: (editor) => editor.isActive('bulletList'),
			},
			{
				id: 'orderedList',
				label: 'Numbered list',
				keys: 'Ctrl+Shift+7',
				icon: { path: 'M10 6h10M10 12h10M10 18h10M4 4.5 5.5 4v5M4 14.5c1-1.3 3-1 2.6.4L4 19h3' },
				words: 'ol ordered steps',
				slash: true,
				run: (editor) => chain(editor, (c) => c.toggleOrderedList()),
				active: (editor) => editor.isActive('orderedList'),
			},
			{
				id: 'taskList',
				label: 'Task list',
				keys: 'Ctrl+Shift+9',
				icon: { path: 'M4 5h5v5H4zM4 14h5v5H4zM12 7.5h8M12 16.5h8m-15-9 1 1 2-2' },
				words: 'todo checkbox',
				slash: true,
				hidden: true,
				run: (editor) => chain(editor, (c) => c.toggleTaskList()),
				active: (editor) => editor.isActive('taskList'),
			},
			{
				id: 'blockquote',
				label: 'Quotation',
				keys: 'Ctrl+Shift+B',
				icon: { path: 'M5 17c3-1 4-3 4-6V7H4v5h5m5 5c3-1 4-3 4-6V7h-5v5h5' },
				words: 'quote cite',
				slash: true,
				run: (editor) => chain(editor, (c) => c.toggleBlockquote()),
				active: (editor) => editor.isActive('blockquote'),
			},
			{
				id: 'callout',
				label: 'Callout',
				icon: { path: 'M4 5h16v11H9l-5 4zM12 8v3m0 2v.5' },
				words: 'note tip warning aside box',
				slash: true,
				run: (editor) => chain(editor, (c) => c.toggleWrap('callout', { kind: 'note' })),
				active: (editor) => editor.isActive('callout'),
			},
		],
		[
			{
				id: 'image',
				label: 'Image',
				icon: { path: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.5' },
				words: 'picture photo figure upload',
				slash: true,
				run: image,
			},
			{
				id: 'library',
				label: 'Image from Media',
				icon: { path: 'M4 8h13v11H4zM7 8V5h13v11h-3M4 17l4-4 3 3 2-2 4 4' },
				words: 'picture photo library choose',
				slash: true,
				run: library,
			},
			{
				id: 'gallery',
				label: 'Gallery',
				icon: { path: 'M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z' },
				words: 'pictures photos images several grid',
				slash: true,
				hidden: true,
				run: gallery,
			},
			{
				id: 'embed',
				label: 'Video, audio or page',
				icon: { path: 'M4 5h16v14H4zM10 9l5 3-5 3z' },
				words:
					'embed youtube vimeo peertube soundcloud spotify podcast player film bookmark card link address',
				slash: true,
				hidden: true,
				run: embed,
			},
			{
				id: 'codeBlock',
				label: 'Code block',
				keys: 'Ctrl+Alt+C',
				icon: { path: 'M4 5h16v14H4zM10 9l-3 3 3 3m4-6 3 3-3 3' },
				words: 'pre program snippet',
				slash: true,
				run: (editor) => chain(editor, (c) => c.toggleCodeBlock()),
				active: (editor) => editor.isActive('codeBlock'),
			},
			{
				id: 'table',
				label: 'Table',
				icon: { path: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14' },
				words: 'rows columns grid',
				slash: true,
				run: (editor) =>
					chain(editor, (c) => c.insertTable({ rows: 3, cols: 3, withHeaderRow: true })),
				active: (editor) => editor.isActive('table'),
			},
			{
				id: 'plot',
				label: 'Plot',
				icon: { path: 'M4 4v16h16M8 16v-4m4 4V8m4 8v-6' },
				words: 'chart graph figure data vega bars lines',
				slash: true,
				hidden: true,
				run: plot,
			},
			{
				id: 'diagram',
				label: 'Diagram',
				icon: { path: 'M4 4h6v5H4zM14 15h6v5h-6zM7 9v8h7' },
				words: 'mermaid flow sequence state class entity figure',
				slash: true,
				hidden: true,
				run: diagram,
			},
			{
				id: 'inlineMath',
				label: 'Formula in the line',
				keys: 'Ctrl+Alt+M',
				icon: { text: 'x²' },
				words: 'math latex equation inline',
				slash: true,
				run: (editor) => insertMath(editor, 'inlineMath'),
			},
			{
				id: 'blockMath',
				label: 'Formula on its own',
				icon: { text: '∑' },
				words: 'math latex equation block display',
				slash: true,
				hidden: true,
				run: (editor) => insertMath(editor, 'blockMath'),
			},
			{
				id: 'footnote',
				label: 'Footnote',
				keys: 'Ctrl+Alt+F',
				icon: { text: 'a¹' },
				words: 'note source reference',
				slash: true,
				run: (editor) => void insertFootnote(editor),
			},
			{
				id: 'blocks',
				label: 'More blocks',
				icon: { text: 'More' },
				run: openBlocks,
			},
			{
				id: 'horizontalRule',
				label: 'Line',
				icon: { path: 'M4 12h16' },
				words: 'hr rule divider separator',
				slash: true,
				hidden: true,
				run: (editor) => chain(editor, (c) => c.setHorizontalRule()),
			},
		],
		[
			{
				id: 'undo',
				label: 'Undo',
				keys: 'Ctrl+Z',
				icon: { path: 'M9 8H4V3M4 8c4-5 12-5 15 1s-2 11-8 11' },
				run: (editor) => chain(editor, (c) => c.undo()),
			},
			{
				id: 'redo',
				label: 'Redo',
				keys: 'Ctrl+Shift+Z',
				icon: { path: 'M15 8h5V3m0 5C16 3 8 3 5 9s2 11 8 11' },
				run: (editor) => chain(editor, (c) => c.redo()),
			},
			{
				id: 'find',
				label: 'Find in the text',
				keys: 'Ctrl+F',
				icon: { path: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zm4.7 11.2L20 20' },
				run: find,
			},
		],
	];
}

/** Commands for the table at the cursor. */
export const TABLE_COMMANDS: Command[] = [
	['addRowAfter', 'Row below'],
	['addColumnAfter', 'Column right'],
	['toggleHeaderRow', 'Header row'],
	['deleteRow', 'Delete row'],
	['deleteColumn', 'Delete column'],
	['deleteTable', 'Delete table'],
].map(([id, label]) => ({
	id: id!,
	label: label!,
	icon: { text: label! },
	run: (editor) => chain(editor, (c) => c[id as 'addRowAfter']()),
}));

/** A formula, opened for typing. */
export function insertMath(editor: Editor, type: 'inlineMath' | 'blockMath'): void {
	const { from, to } = editor.state.selection;
	const latex = editor.state.doc.textBetween(from, to, ' ');
	editor.chain().focus().insertContent({ type, attrs: { latex } }).run();
	let place: number | null = null;
	const end = editor.state.selection.to;
	editor.state.doc.nodesBetween(
		Math.max(0, from - 1),
		Math.min(editor.state.doc.content.size, end + 1),
		(node, pos) => {
			if (node.type.name === type && place === null && pos >= from - 1) place = pos;
		},
	);
	if (place !== null) editor.view.nodeDOM(place)?.dispatchEvent(new Event('edit'));
}

/** Puts a gallery into the text and asks for its pictures. */
export function insertGallery(editor: Editor): void {
	openInserted(editor, 'gallery', {});
}

/** Puts a video or recording into the text and asks what it is called. */
export function insertEmbed(editor: Editor, href: string, title: string): void {
	openInserted(editor, 'embed', { href, title });
}

function openInserted(editor: Editor, type: string, attrs: Record<string, unknown>) {
	editor.chain().focus().insertContent({ type, attrs }).run();
	const place = nearest(editor, type, editor.state.selection.from);
	if (place >= 0) editor.view.nodeDOM(place)?.dispatchEvent(new Event('edit'));
}

/** Returns where the node of a kind is that is nearest to a place. */
function nearest(editor: Editor, type: string, to: number): number {
	let place = -Infinity;
	editor.state.doc.descendants((node, pos) => {
		if (node.type.name === type && Math.abs(pos - to) < Math.abs(place - to)) place = pos;
	});
	return place;
}

/** Opens the menu of all blocks, as `/` does. */
function openBlocks(editor: Editor): void {
	const { $from } = editor.state.selection;
	const before = $from.parent.textBetween(0, $from.parentOffset, ' ', ' ');
	editor
		.chain()
		.focus()
		.insertContent(/\S$/.test(before) ? ' /' : '/')
		.run();
}

/** Commands that fit what was typed behind `/`, best first. */
export function commandsFor(query: string, commands: readonly Command[]): Command[] {
	const wanted = query.toLowerCase();
	const rank = ({ label, id, words = '' }: Command) => {
		const name = label.toLowerCase();
		if (name.startsWith(wanted)) return 0;
		if (` ${name} ${id.toLowerCase()} ${words}`.includes(` ${wanted}`)) return 1;
		return name.includes(wanted) ? 2 : 3;
	};
	return commands
		.filter((command) => command.slash && rank(command) < 3)
		.sort((a, b) => rank(a) - rank(b));
}
