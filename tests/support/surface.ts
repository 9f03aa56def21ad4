import { Editor } from '@tiptap/core';
import { openArticle } from '#src/dashboard/editor/article/article.ts';
import { surfaceExtensions } from '#src/dashboard/editor/surface/extensions.ts';

/** Opens an article in an editor of its own, as the desk does, with drawings that stay empty. jsdom scrolls nowhere. */
export function openSurface(html: string, options: { element?: Element } = {}): Editor {
	Element.prototype.scrollIntoView = () => undefined;
	return new Editor({
		...options,
		extensions: surfaceExtensions(() => Promise.resolve('')),
		content: openArticle(html).doc.toJSON() as Record<string, unknown>,
		injectCSS: false,
	});
}
