import type { NodeViewRenderer, NodeViewRendererProps } from '@tiptap/core';
import { embedOf, hostOf } from '#src/core/articles/embeds.ts';
import { ACCEPTED } from '#src/dashboard/media/photo.ts';
import {
	change,
	leaveByKey,
	make,
	marksSelection,
	ownChanges,
	ownEvents,
	redraws,
	selectByClick,
} from './view-parts.ts';

/** Returns where a node is by now: an image that arrives above it moves it. */
export type PlaceOf = () => number | undefined;

/** Files for a gallery, where that is by now, and how far they are. */
export type NewPictures = {
	files: File[];
	placeOf: PlaceOf;
	say: (words: string) => void;
};

/** A video, a recording or the card of a page: fields for its title and its picture, and its caption. The player is on the page alone. */
export const embedView: NodeViewRenderer = (props) => {
	const image = make('img', { alt: '' });
	const shown = make('span', { class: 'embed-title' });
	const host = make('span', { class: 'embed-host' });
	const still = make('div', { class: 'embed-still', contenteditable: 'false' }, image, shown, host);
	const input = make('input', {
		type: 'text',
		placeholder: 'What it is called',
		maxlength: '200',
	});
	const pick = make('button', { type: 'button' });
	const remove = make('button', { type: 'button' }, 'Remove picture');
	const plain = make('button', { type: 'button' }, 'Plain link');
	const bar = make(
		'div',
		{ class: 'picture-alt', contenteditable: 'false' },
		make('span', {}, 'Title'),
		input,
		pick,
		remove,
		plain,
	);
	const caption = make('figcaption', { 'data-placeholder': 'Caption, if it needs one' });
	const dom = make('figure', { class: 'picture embed' }, still, bar, caption);
	const draw = ({ attrs, content }: typeof props.node) => {
		const embed = embedOf(String(attrs['href']));
		const title = String(attrs['title']);
		const src = attrs['src'] ? String(attrs['src']) : '';
		dom.className = `picture embed embed-${embed?.kind ?? 'page'}`;
		input.ariaLabel = `Title of the ${embed ? 'video or recording' : 'page'}`;
		shown.textContent = title || String(attrs['href']);
		host.textContent = embed ? `Plays from ${embed.name}` : hostOf(String(attrs['href']));
		image.hidden = !src;
		if (src && image.getAttribute('src') !== src) image.src = src;
		image.alt = String(attrs['alt'] ?? '');
		pick.textContent = src ? 'Change picture' : 'Choose picture';
		remove.hidden = !src;
		if (input.value !== title) input.value = title;
		dom.toggleAttribute('data-empty', content.size === 0);
	};
	draw(props.node);
	input.addEventListener('input', () => change(props, { title: input.value }));
	leaveByKey(input, props);
	pick.addEventListener('click', () => {
		dom.dispatchEvent(new CustomEvent('pick-still', { bubbles: true, detail: props.getPos }));
	});
	remove.addEventListener('click', () => {
		change(props, { src: null, alt: '', width: null, height: null });
	});
	plain.addEventListener('click', () => {
		const pos = props.getPos();
		const node = pos === undefined ? null : props.editor.state.doc.nodeAt(pos);
		if (pos === undefined || !node) return;
		const href = String(node.attrs['href']);
		const marks = [{ type: 'link', attrs: { href } }];
		const content = [{ type: 'text', text: String(node.attrs['title'] || href), marks }];
		const range = { from: pos, to: pos + node.nodeSize };
		props.editor.chain().insertContentAt(range, { type: 'paragraph', content }).focus().run();
	});
	dom.addEventListener('edit', () => input.focus());
	selectByClick(still, props);
	return {
		dom,
		contentDOM: caption,
		update: redraws(props, draw),
		...marksSelection(dom),
		stopEvent: ownEvents(bar),
		ignoreMutation: ownChanges(caption, bar, still),
	};
};

/** Pictures beside each other, and what adds more. */
export const galleryView: NodeViewRenderer = (props) => {
	const files = make('input', {
		type: 'file',
		accept: ACCEPTED,
		multiple: '',
		hidden: '',
		'aria-label': 'Pictures of the gallery',
	});
	const add = make('button', { type: 'button' }, 'Add pictures');
	const edit = make('button', { type: 'button' }, 'Edit');
	const said = make('span', { role: 'status' });
	const bar = make(
		'div',
		{ class: 'gallery-bar', contenteditable: 'false' },
		make('span', {}, 'Gallery'),
		add,
		edit,
		said,
		files,
	);
	const pictures = make('div', { class: 'gallery' });
	const dom = make('figure', { class: 'gallery-node' }, bar, pictures);
	const draw = ({ childCount }: typeof props.node) => {
		pictures.className = `gallery gallery-${Math.min(childCount, 3)}`;
		said.textContent = childCount === 0 ? 'No pictures yet: an empty gallery is not saved.' : '';
		edit.hidden = childCount === 0;
	};
	draw(props.node);
	const choose = () => files.click();
	const open = () => {
		if (edit.hidden) return choose();
		dom.dispatchEvent(new CustomEvent('edit-gallery', { bubbles: true, detail: props.getPos }));
	};
	add.addEventListener('click', choose);
	edit.addEventListener('click', open);
	dom.addEventListener('edit', open);
	// In a caption a double click selects a word.
	dom.addEventListener('dblclick', ({ target }) => {
		if (!(target as Element).closest('figcaption, input, button')) open();
	});
	files.addEventListener('change', () => {
		const chosen = [...(files.files ?? [])];
		files.value = '';
		const detail: NewPictures = {
			files: chosen,
			placeOf: props.getPos,
			say: (words) => (said.textContent = words),
		};
		dom.dispatchEvent(new CustomEvent('add-pictures', { bubbles: true, detail }));
	});
	return {
		dom,
		contentDOM: pictures,
		update: redraws(props, draw),
		...marksSelection(dom),
		stopEvent: ownEvents(bar),
		ignoreMutation: ownChanges(pictures, bar),
	};
};

/** Returns the buttons that move a picture within its gallery. Elsewhere, and where it is the first or last, they are hidden. */
export function galleryMoves(props: NodeViewRendererProps): HTMLButtonElement[] {
	return ([-1, 1] as const).map((by) => {
		const label = by < 0 ? 'Move this picture forward' : 'Move this picture back';
		const attributes = { type: 'button', 'data-move': String(by), 'aria-label': label };
		const button = make('button', { ...attributes, title: label }, by < 0 ? '←' : '→');
		button.addEventListener('click', () => moveInGallery(props, by));
		return button;
	});
}

/** Changes places with the picture beside, and keeps the focus on the button that moves on. */
function moveInGallery({ editor, getPos }: NodeViewRendererProps, by: -1 | 1): void {
	const { doc, tr } = editor.state;
	const pos = getPos();
	if (pos === undefined) return;
	const $pos = doc.resolve(pos);
	const gallery = $pos.parent;
	const index = $pos.index();
	const other = gallery.maybeChild(index + by);
	if (!other) return;
	const moved = gallery.child(index);
	const from = by < 0 ? pos - other.nodeSize : pos;
	const pair = by < 0 ? [moved, other] : [other, moved];
	editor.view.dispatch(tr.replaceWith(from, from + moved.nodeSize + other.nodeSize, pair));
	const place = index + by + 1;
	const dom = editor.view.nodeDOM(by < 0 ? from : from + other.nodeSize) as HTMLElement;
	const isAtEnd = place === 1 || place === gallery.childCount;
	dom.querySelector<HTMLElement>(`[data-move="${isAtEnd ? -by : by}"]`)?.focus();
	const said = dom.closest('.gallery-node')?.querySelector('[role=status]');
	if (said) said.textContent = `Picture ${place} of ${gallery.childCount}`;
}
