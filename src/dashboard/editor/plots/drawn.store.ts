import { callAsAdmin } from '#src/core/session/session.store.ts';
import { renderContent } from '#src/features/posts/editing.api.ts';
import { escapeHtml } from '#src/lib/text.ts';

/**
 * Returns a block's figure as the article's page shows it, or why it cannot be drawn, as HTML that is safe to show. `tables` is the
 * HTML of the article's tables, which its data may be.
 */
export async function drawBlock(language: string, source: string, tables = ''): Promise<string> {
	const block = `<pre><code class="language-${language}">${escapeHtml(source)}</code></pre>`;
	const { html } = await callAsAdmin(renderContent, { content: tables + block });
	return html.slice(Math.max(0, html.lastIndexOf('<figure')));
}
