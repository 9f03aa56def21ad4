import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import type { Element, ElementContent, Root } from 'hast';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';

const CALLOUT = /^\[!(NOTE|TIP|WARNING)\]\s*/;

const processor = unified()
	.use(remarkParse)
	.use(remarkGfm)
	.use(remarkMath)
	.use(remarkRehype, { clobberPrefix: '' })
	.use(() => restore)
	.use(rehypeStringify);

/** Markdown with tables, footnotes, math and `> [!NOTE]` callouts as the HTML that a post's `content` holds. */
export async function markdownToHtml(markdown: string): Promise<string> {
	return String(await processor.process(markdown));
}

/** Gives math and callouts the elements that the editor and the renderer know. */
function restore(tree: Root): void {
	visit(tree, 'element', (node) => {
		const classes = node.properties.className;
		if (node.tagName === 'code' && Array.isArray(classes) && classes.includes('math-inline')) {
			node.tagName = 'span';
			node.properties = { dataType: 'inline-math', dataLatex: textOf(node) };
			node.children = [];
		} else if (node.tagName === 'pre') {
			const [code] = node.children;
			const inner = code?.type === 'element' ? code.properties.className : undefined;
			if (code?.type === 'element' && Array.isArray(inner) && inner.includes('math-display')) {
				node.tagName = 'div';
				node.properties = { dataType: 'block-math', dataLatex: textOf(code).trim() };
				node.children = [];
			}
		} else if (node.tagName === 'blockquote') {
			calloutOf(node);
		}
	});
}

function calloutOf(quote: Element): void {
	const paragraph = quote.children.find((child) => child.type === 'element');
	const first = paragraph?.type === 'element' ? paragraph.children[0] : undefined;
	if (paragraph?.type !== 'element' || first?.type !== 'text') return;
	const [marker, kind] = CALLOUT.exec(first.value) ?? [];
	if (!marker || !kind) return;
	first.value = first.value.slice(marker.length);
	quote.tagName = 'aside';
	quote.properties = { dataCallout: kind.toLowerCase() };
}

function textOf(node: Element): string {
	return node.children
		.map((child: ElementContent) => ('value' in child ? child.value : ''))
		.join('');
}
