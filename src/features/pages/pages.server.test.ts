import { readFile } from 'node:fs/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { renderArticle } from '#src/core/articles/render.ts';
import { sanitizeArticle } from '#src/core/articles/sanitize.ts';
import { DEFAULT_SETTINGS, provideSettings } from '#src/site.ts';
import { fillIn, renderPage } from './pages.server.ts';

afterEach(() => provideSettings(DEFAULT_SETTINGS));

test.each(['about', 'privacy', 'terms'])(
	'/%s as it is stored shows what its Markdown says',
	async (name) => {
		const file = await readFile(
			new URL(`../../../content/pages/${name}.md`, import.meta.url),
			'utf8',
		);
		provideSettings({ ...DEFAULT_SETTINGS, contactEmail: 'us@x.test' });
		const markdown = file.replace(/^---\n[^]*?\n---\n/, '');
		const shown = fillIn(markdown)
			.replace(/^(%WITH_SAMPLES% )?%(WITHOUT_SAMPLES|UNDER_ANOTHER_NAME)% .*\n\n/gm, '')
			.replaceAll(/%(WITH_SAMPLES|UNDER_OUR_NAME)% /g, '');
		const stored = sanitizeArticle(await markdownToHtml(markdown));
		expect(await renderPage(stored)).toEqual(await renderArticle(await markdownToHtml(shown)));
	},
);

test('what the terms say of articles, guides, license and law is of the sample content, and goes with it', async () => {
	const file = await readFile('content/pages/terms.md', 'utf8');
	const stored = sanitizeArticle(await markdownToHtml(file.replace(/^---\n[^]*?\n---\n/, '')));
	const ours =
		/artificial intelligence|50 US states|state guides|seven lessons|California|Creative Commons|MIT License/;
	const { html: sample } = await renderPage(stored);
	expect(sample).toMatch(ours);
	expect(sample).not.toContain('needs our permission');
	provideSettings({ ...DEFAULT_SETTINGS, content: 'own' });
	const { html: own, headings } = await renderPage(stored);
	expect(own).not.toMatch(ours);
	expect(own).toContain('<p>The service offers articles, comments, a newsletter, and');
	expect(own).toContain('Anything more needs our permission.');
	expect(own).toContain('where the operator of the site lives');
	// Who keeps the samples under another name gives only those away, and is not in California.
	provideSettings({ ...DEFAULT_SETTINGS, name: 'Second Reading' });
	const { html: renamed } = await renderPage(stored);
	expect(renamed).toContain('that came with the program of this site are licensed');
	expect(renamed).toContain('Anything more needs our permission.');
	expect(renamed).toContain('guides for the 50 US states');
	expect(renamed).not.toMatch(/California|our articles/);
	expect(sample).not.toContain('came with the program');
	expect(own + sample + renamed).not.toMatch(/%[A-Z_]+%/);
	expect(headings.filter(({ depth }) => depth === 2)).toHaveLength(12);
});

test('a name is text wherever it stands, and an address becomes a link outside of links and code', async () => {
	provideSettings({ ...DEFAULT_SETTINGS, name: 'A <b> & "C" *d*', contactEmail: 'us@x.test' });
	const { html, headings } = await renderPage(
		'<h2>%SITE_NAME%</h2><p>%CONTACT_EMAIL%, %OTHER%</p><p><a href="mailto:%CONTACT_EMAIL%">%CONTACT_EMAIL%</a> <code>%CONTACT_EMAIL%</code></p>',
	);
	expect(headings).toMatchObject([{ text: 'A <b> & “C” *d*' }]);
	expect(html).toContain('A &#x3C;b> &#x26; “C” *d*');
	expect(html).toContain('<p><a href="mailto:us@x.test">us@x.test</a>, %OTHER%</p>');
	expect(html).toContain('<a href="mailto:us@x.test">us@x.test</a> <code>us@x.test</code>');
});

test('without an address for readers, pages lead to the contact form instead of one that nobody has', async () => {
	const { html } = await renderPage(
		'<p>Write to %CONTACT_EMAIL% or <a href="mailto:%PRIVACY_EMAIL%">%PRIVACY_EMAIL%</a>.</p>',
	);
	expect(html).toMatch(
		/^<p>Write to <a href="\/contact">([^<@]+\/contact)<\/a> or <a href="\/contact">\1<\/a>\.<\/p>$/,
	);
	provideSettings({ ...DEFAULT_SETTINGS, contactEmail: 'us@x.test' });
	expect((await renderPage('<p>%PRIVACY_EMAIL%</p>')).html).toBe(
		'<p><a href="mailto:us@x.test">us@x.test</a></p>',
	);
});

test('the legal pages name the operator with an address, once there is one', async () => {
	const sentence = '<p>The operator of the site%OPERATOR% is responsible.</p>';
	expect((await renderPage(sentence)).html).toBe('<p>The operator of the site is responsible.</p>');
	provideSettings({ ...DEFAULT_SETTINGS, operator: 'Example & Sons, 1 Main Street, Springfield' });
	expect((await renderPage(sentence)).html).toBe(
		'<p>The operator of the site (Example &#x26; Sons, 1 Main Street, Springfield) is responsible.</p>',
	);
	for (const page of ['privacy', 'terms'])
		expect(await readFile(`content/pages/${page}.md`, 'utf8')).toContain(
			'operator of the site%OPERATOR%',
		);
});

test('a text that is nested beyond reason is shown without its elements', async () => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
	const { html } = await renderPage(`${'<div>'.repeat(5_000)}deep`);
	expect(html).toContain('deep');
});
