import type { Editor } from '@tiptap/core';
import { addressIn, embedOf, titleOf } from '#src/core/articles/embeds.ts';
import { insertArticle } from '#src/dashboard/editor/article/footnotes.ts';
import type { Pictures } from '#src/dashboard/editor/paste/local-pictures.ts';
import { cleanMarkdown, cleanPaste, looksLikeMarkdown } from '#src/dashboard/editor/paste/paste.ts';
import { insertEmbed } from './commands.ts';
import { addImages } from './uploads.store.ts';

type Options = {
	/** The words alone are wanted. */
	isPlain: boolean;
	/** Whether a title that begins the text is taken for the article's, and what takes it. */
	takesTitle: () => boolean;
	onTitle: (title: string) => void;
};

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
	const embed = isPlain ? null : embedOf(addressIn(text));
	const { $from, empty } = editor.state.selection;
	// On a line of its own; elsewhere the address is a link.
	if (
		embed &&
		empty &&
		$from.depth === 1 &&
		$from.parent.type.name === 'paragraph' &&
		$from.parent.content.size === 0
	) {
		insertEmbed(editor, embed.address, titleOf(embed));
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
		if (clean) return insertArticle(editor, clean, pictures);
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
	const { markdownToHtml } = await import('#src/core/articles/markdown.ts');
	const made = await markdownToHtml(text.replace(/\r\n?/g, '\n'));
	const pictures: Pictures = new Map();
	const { html, title } = cleanMarkdown(made, takesTitle(), pictures);
	if (title) onTitle(title);
	insertArticle(editor, html, pictures);
}
