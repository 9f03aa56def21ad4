import { HtmlBasePlugin, IdAttributePlugin, InputPathToUrlTransformPlugin } from '@11ty/eleventy';
import syntaxHighlight from '@11ty/eleventy-plugin-syntaxhighlight';

/** Pages of articles, and pages of 20 titles for all of them, for each tag and each category. */
export default function configure(config) {
	// Those of its starter, the base blog, but for images, of which there are none.
	const plugins = [HtmlBasePlugin, IdAttributePlugin, InputPathToUrlTransformPlugin];
	for (const plugin of [syntaxHighlight, ...plugins]) config.addPlugin(plugin);
	config.addCollection('lists', (api) => {
		const articles = api.getFilteredByGlob('content/posts/*.md').reverse();
		const lists = new Map([['all', articles]]);
		for (const article of articles)
			for (const tag of [...article.data.tags, ...article.data.categories])
				lists.set(tag, [...(lists.get(tag) ?? []), article]);
		return [...lists].flatMap(([name, list]) =>
			Array.from({ length: Math.ceil(list.length / 20) }, (_, page) => ({
				...{ name, page },
				articles: list.slice(page * 20, page * 20 + 20),
			})),
		);
	});
	return { markdownTemplateEngine: 'njk' };
}
