import type { Editor } from '@tiptap/core';
import { addressIn } from '#src/core/articles/embeds.ts';
import { insertArticle } from '#src/dashboard/editor/article/footnotes.ts';
import type { Pictures } from '#src/dashboard/editor/paste/local-pictures.ts';
import { cleanMarkdown, cleanPaste, looksLikeMarkdown } from '#src/dashboard/editor/paste/paste.ts';
import { insertAddress } from './cards.store.ts';
import { addImages, fetchPictures } from './uploads.store.ts';

type Options = {
	/** The words alone are wanted. */
	isPlain: boolean;
	/** Whether a title that begins the text is taken for the article's, and what takes it. */
	takesTitle: () => boolean;
	onTitle: (title: string) => void;
};

/** Addresses that end as files of pictures do. */
const PICTURE_ADDRESS = /^https?:\/\/\S+\.(png|jpe?g|webp|avif|gif)(\?\S*)?$/i;

/** Pastes what needs care: images, documents of other programs, Markdown. Returns whether it did; the rest is the editor's. */
export function pasteInto(editor: Editor, data: DataTransfer, options: Options): boolean {
	const { isPlain, takesTitle, onTitle } = options;
	if (editor.isActive('codeBlock')) return false;
	const html = data.getData('text/html');
	const text = data.getData('text/plain');
	const images = [...data.files].filter(({ type }) => type.startsWith('image/'));
	// A copied picture comes with HTML that only names it; a document comes with words.
	if (images.length > 0 && !text.trim()) {
		addImages(editor, images);
		return true;
	}
	const { $from, empty } = editor.state.selection;
	// On a line of its own an address is what it leads to; elsewhere it is a link.
	const isAlone =
		empty &&
		$from.depth === 1 &&
		$from.parent.type.name === 'paragraph' &&
		$from.parent.content.size === 0;
	const address = isPlain || !isAlone ? '' : addressIn(text);
	if (PICTURE_ADDRESS.test(address)) {
		const src = new URL(address).href.replaceAll('&', '&amp;');
		return insertPasted(editor, cleanPaste(`<p><img src="${src}"></p>`).html, new Map());
	}
	if (/^https?:\/\/\S+$/i.test(address) && URL.canParse(address)) {
		// A page that says nothing of itself is a link, as it was pasted.
		void insertAddress(editor, address);
		return true;
	}
	if (isPlain || html.includes('data-pm-slice')) return false;
	// Of a program's code the editor makes a block with its language, whatever its comments look like.
	const code = data.getData('vscode-editor-data');
	if (code && !/"mode":"(markdown|plaintext)"/.test(code)) return false;
	if (html && !code) {
		const pictures: Pictures = new Map();
		const { html: clean, title } = cleanPaste(html, takesTitle(), pictures);
		if (title) onTitle(title);
		if (clean) return insertPasted(editor, clean, pictures);
		if (title) return true;
	}
	if (!looksLikeMarkdown(text)) return false;
	void pasteMarkdown(editor, text, options);
	return true;
}

async function pasteMarkdown(
	editor: Editor,
	text: string,
	{ takesTitle, onTitle }: Options,
): Promise<void> {
	const made = await import('#src/core/articles/markdown.ts').then(
		({ markdownToHtml }) => markdownToHtml(text.replace(/\r\n?/g, '\n')),
		() => null,
	);
	// Without the code that reads Markdown its words are there all the same.
	if (made === null) return void editor.view.pasteText(text);
	const pictures: Pictures = new Map();
	const { html, title } = cleanMarkdown(made, takesTitle(), pictures);
	if (title) onTitle(title);
	insertPasted(editor, html, pictures);
}

/** Inserts what was cleaned, and fetches the pictures of other sites that it shows. */
function insertPasted(editor: Editor, html: string, pictures: Pictures): boolean {
	const isInserted = insertArticle(editor, html, pictures);
	if (isInserted) void fetchPictures(editor);
	return isInserted;
}
