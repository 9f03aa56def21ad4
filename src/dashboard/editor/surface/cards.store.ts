import type { Editor } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import { TextSelection, type Transaction } from '@tiptap/pm/state';
import { embedOf, titleOf } from '#src/core/articles/embeds.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { uploadFrom } from '#src/dashboard/media/upload.store.ts';
import { fetchCard } from '#src/features/media/media.api.ts';
import type { PageCard } from '#src/features/media/media.ts';
import { messageOf } from '#src/lib/errors.ts';
import { insertEmbed } from './commands.ts';
import { holdPlace } from './uploads.ts';
import { attributesOf } from './uploads.store.ts';

/**
 * Puts what an address leads to in a line of its own: a video or recording, or the link of a page, which becomes a card once the
 * page has said what it is. Returns why it does not, or null.
 */
export async function insertAddress(editor: Editor, address: string): Promise<string | null> {
	const embed = embedOf(address);
	const place = holdPlace(editor, `Reading ${new URL(address).host}`, editor.state.selection.from);
	if (embed) insertEmbed(editor, address, titleOf(embed));
	else {
		const marks = [{ type: 'link', attrs: { href: address } }];
		editor.chain().focus().insertContent({ type: 'text', text: address, marks }).run();
	}
	try {
		const card = await callAsAdmin(fetchCard, { url: address });
		if (editor.isDestroyed) return null;
		if (embed) change(editor, address, 'title', { title: card.title });
		else replaceLink(editor, address, card, place.at());
		if (!card.picture) return null;
		const image = await uploadFrom(card.picture, (part) => place.progress(part));
		if (!editor.isDestroyed) change(editor, address, 'src', attributesOf(image));
		return null;
	} catch (error) {
		return messageOf(error);
	} finally {
		if (!editor.isDestroyed) place.leave();
	}
}

/** Gives attributes to those of an address to which nobody gave any. */
function change({ state, view }: Editor, href: string, name: 'title' | 'src', attrs: object) {
	const { tr } = state;
	const embed = embedOf(href);
	const first = name === 'title' && embed ? titleOf(embed) : null;
	state.doc.descendants((node, pos) => {
		const isIt = node.type.name === 'embed' && node.attrs['href'] === href;
		if (isIt && node.attrs[name] === first)
			tr.setNodeMarkup(pos, null, { ...node.attrs, ...attrs });
	});
	// No step of its own: to undo is to undo the paste.
	view.dispatch(tr.setMeta('addToHistory', false));
}

/** Puts a card in the place of the last link before a place that stands alone in its paragraph. Undo brings the link back. */
function replaceLink({ state, view }: Editor, href: string, card: PageCard, before: number) {
	const { doc, schema, selection } = state;
	let found = -1;
	doc.forEach((node, offset) => {
		const link = node.childCount === 1 ? node.child(0) : null;
		const isLink = link?.marks.some(({ attrs }) => attrs['href'] === href);
		if (offset < before && node.type.name === 'paragraph' && isLink && link?.text === href)
			found = offset;
	});
	const node = found < 0 ? null : doc.nodeAt(found);
	if (!node) return;
	const end = found + node.nodeSize;
	const text = card.text ? schema.text(card.text) : null;
	const { tr } = state;
	tr.replaceWith(found, end, schema.nodes['embed']!.create({ href, title: card.title }, text));
	if (selection.from > found && selection.to < end) goOnBehind(tr, tr.mapping.map(end));
	view.dispatch(closeHistory(tr));
}

/** Puts the cursor into the empty paragraph at a place, which it makes where there is none. */
function goOnBehind(tr: Transaction, at: number) {
	const next = tr.doc.nodeAt(at);
	if (next?.type.name !== 'paragraph' || next.content.size > 0)
		tr.insert(at, tr.doc.type.schema.nodes['paragraph']!.create());
	tr.setSelection(TextSelection.create(tr.doc, at + 1));
}
