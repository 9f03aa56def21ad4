import { Extension, type Editor } from '@tiptap/core';
import { randomId } from '#src/lib/random-id.ts';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { bodyEnd } from '#src/dashboard/editor/article/schema.ts';
import { elsewhereNote, UNNAMED } from '#src/dashboard/editor/paste/local-pictures.ts';

type Change = { add: { id: string; pos: number; dom: HTMLElement } } | { remove: string };
const key = new PluginKey<DecorationSet>('uploads');

/** Where images stand that are on their way. They are no part of the article before they have arrived. */
export const UploadPlaces = Extension.create({
	name: 'uploadPlaces',
	addProseMirrorPlugins: () => [
		new Plugin<DecorationSet>({
			key,
			state: {
				init: () => DecorationSet.empty,
				apply(tr, set) {
					const mapped = set.map(tr.mapping, tr.doc);
					const change = tr.getMeta(key) as Change | undefined;
					if (!change) return mapped;
					if ('remove' in change)
						return mapped.remove(
							mapped.find(
								undefined,
								undefined,
								(spec: { id?: unknown }) => spec.id === change.remove,
							),
						);
					const { id, pos, dom } = change.add;
					return mapped.add(tr.doc, [Decoration.widget(pos, dom, { id, side: -1 })]);
				},
			},
			props: { decorations: (state) => key.getState(state) },
		}),
	],
});

/** Holds the place of something that arrives later, and says what is done meanwhile. */
export function holdPlace(editor: Editor, doing: string, at: number) {
	const id = randomId();
	const dom = document.createElement('div');
	dom.className = 'upload-place';
	const label = document.createElement('span');
	label.textContent = doing;
	const bar = document.createElement('progress');
	bar.max = 1;
	bar.setAttribute('aria-label', doing);
	dom.append(label, bar);
	const change = (meta: Change) => editor.view.dispatch(editor.state.tr.setMeta(key, meta));
	const $from = editor.state.doc.resolve(Math.min(at, editor.state.doc.content.size));
	// Between blocks: after the one that the place is in.
	const pos = $from.depth > 0 ? $from.after(1) : at;
	change({ add: { id, pos: Math.min(pos, bodyEnd(editor.state.doc)), dom } });
	const say = (note: string) => {
		const close = document.createElement('button');
		close.type = 'button';
		close.textContent = 'OK';
		close.addEventListener('click', () => change({ remove: id }));
		label.setAttribute('role', 'status');
		label.textContent = note;
		bar.replaceWith(close);
	};
	const { activeElement } = document;
	const { doc } = editor.state;
	/** Returns whether the writer waits for the image: neither the text nor the focus has changed. */
	const isWaitedFor = () => document.activeElement === activeElement && editor.state.doc === doc;
	const place = () =>
		key
			.getState(editor.state)
			?.find(undefined, undefined, (spec: { id?: unknown }) => spec.id === id)[0]?.from ??
		bodyEnd(editor.state.doc);
	return {
		/** Returns where the place is by now. */
		at: place,
		progress(part: number) {
			bar.value = part;
		},
		/**
		 * Puts the image there, and asks for its description unless somebody writes elsewhere by now. A note about it stays
		 * until it is dismissed.
		 */
		arrive(attrs: Record<string, unknown>, note?: string) {
			const asks = isWaitedFor();
			const at = place();
			if (note) say(note);
			else change({ remove: id });
			const node = editor.schema.nodes['picture']!.create(attrs);
			editor.view.dispatch(editor.state.tr.insert(at, node));
			const shown = editor.view.nodeDOM(at);
			if (asks && shown instanceof HTMLElement) shown.querySelector('input')?.focus();
		},
		leave: () => change({ remove: id }),
	};
}

/** The pictures of the text that are on no server yet, each once. */
export function loosePictures({ state: { doc } }: Editor): Set<string> {
	const found = new Set<string>();
	doc.descendants(({ type, attrs }) => {
		const src = String(attrs['src'] ?? '');
		if (type.name === 'picture' && src.startsWith('data:')) found.add(src);
	});
	return found;
}

/** Gives all pictures of one address other attributes, or takes them out. */
export function replacePictures(
	editor: Editor,
	src: string,
	attrs: Record<string, unknown> | null,
) {
	const places: number[] = [];
	editor.state.doc.descendants((node, pos) => {
		if (node.type.name === 'picture' && node.attrs['src'] === src) places.push(pos);
	});
	const { tr } = editor.state;
	for (const pos of places.reverse()) {
		const node = tr.doc.nodeAt(pos)!;
		if (attrs) tr.setNodeMarkup(pos, null, { ...node.attrs, ...attrs });
		else tr.delete(pos, pos + node.nodeSize);
	}
	// No step of its own: to undo is to undo the paste.
	editor.view.dispatch(tr.setMeta('addToHistory', false));
}

/** A link and the note behind it, which stand for a picture of another site. */
type StandIn = { href: string; name: string; from: number; to: number };

export function findPlaceholders({ state: { doc } }: Editor): StandIn[] {
	const found: StandIn[] = [];
	doc.descendants((node, pos, parent, index) => {
		const link = node.marks.find(({ type }) => type.name === 'link');
		const href = String(link?.attrs['href'] ?? '');
		if (!parent || !/^https?:/.test(href) || !URL.canParse(href)) return;
		const note = elsewhereNote(new URL(href).host);
		const to = pos + node.nodeSize;
		const next = parent.maybeChild(index + 1);
		if (next?.text?.startsWith(note)) {
			found.push({ href, name: node.text ?? '', from: pos, to: to + note.length });
		}
	});
	return found;
}

/** Puts a picture where links stand for it: in their paragraph's place, or below the block that has more words. */
export function replaceStandIns(editor: Editor, address: string, attrs: Record<string, unknown>) {
	const { tr, schema } = editor.state;
	for (const { href, name, from, to } of findPlaceholders(editor).reverse()) {
		if (href !== address) continue;
		const picture = schema.nodes['picture']!.create({
			...attrs,
			alt: name === UNNAMED ? '' : name,
		});
		const $from = tr.doc.resolve(from);
		const isAlone = $from.parent.content.size === to - from;
		if (isAlone && $from.depth === 1) {
			tr.replaceWith($from.before(), $from.after(), picture);
			continue;
		}
		tr.insert(Math.min($from.after(1), bodyEnd(tr.doc)), picture);
		// A list's item may be nothing else: its words stay, and only the note goes.
		tr.delete(isAlone ? from + name.length : from, to);
	}
	// No step of its own: to undo is to undo the paste.
	editor.view.dispatch(tr.setMeta('addToHistory', false));
}
