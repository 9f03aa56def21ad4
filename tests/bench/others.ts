import { sql } from 'drizzle-orm';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setInterval } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDb } from '#db/local.ts';
import { find } from '#tests/support/programs.mjs';

const OTHERS = fileURLToPath(new URL('others/', import.meta.url));
const ELEVENTY = ['@11ty/eleventy@3.1.8', '@11ty/eleventy-plugin-syntaxhighlight@5.0.2'];

export type OtherRun = { name: string; seconds: number; peakMb: number; pages: number };

/** A generator of static sites that can run here: the folder that it works in, and its command. */
type Generator = { name: string; root: string; command: string[] };

/**
 * Prepares the generators of static sites that can be had here (Hugo where it is installed, Eleventy where npm has it), each in a
 * folder of its own with the same posts as Markdown.
 */
export async function prepareOthers(folder: string, url: string): Promise<Generator[]> {
	const hugo = find('hugo');
	const eleventy = join(folder, 'eleventy');
	const npm = ['install', '--prefix', eleventy, '--no-audit', '--no-fund', ...ELEVENTY];
	await mkdir(eleventy);
	const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
	const isInstalled = spawnSync('npm', npm, { stdio: 'ignore', env }).status === 0;
	const cmd = join(eleventy, 'node_modules/@11ty/eleventy/cmd.cjs');
	const generators = [
		...(hugo ? [{ name: 'Hugo', root: join(folder, 'hugo'), command: [hugo, '--quiet'] }] : []),
		...(isInstalled
			? [{ name: 'Eleventy', root: eleventy, command: [process.execPath, cmd, '--quiet'] }]
			: []),
	];
	const articles = await readArticles(url);
	for (const { name, root } of generators) {
		await cp(join(OTHERS, name.toLowerCase()), root, { recursive: true });
		await mkdir(join(root, 'content/posts'), { recursive: true });
		for (const { slug, text } of articles)
			await writeFile(join(root, 'content/posts', `${slug}.md`), text);
	}
	return generators;
}

/** Builds a site from nothing. */
export async function buildOther({ name, root, command }: Generator): Promise<OtherRun> {
	const out = join(root, 'out');
	await rm(out, { recursive: true, force: true });
	const [program = '', ...args] = command;
	const to = name === 'Hugo' ? ['--destination', out] : [`--output=${out}`];
	const start = performance.now();
	const child = spawn(program, [...args, ...to], {
		cwd: root,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	const peak = watchPeak(child.pid!);
	const [code] = (await once(child, 'exit')) as [number | null];
	const seconds = (performance.now() - start) / 1000;
	if (code !== 0) throw new Error(`${name} ended with exit code ${code}.`);
	const files = await readdir(out, { recursive: true });
	const pages = files.filter((file) => file.endsWith('.html')).length;
	return { name, seconds, peakMb: await peak, pages };
}

/** Returns the most memory that a process has held, in MB, once it has ended; not a number where the system does not say. */
async function watchPeak(pid: number): Promise<number> {
	let peak = NaN;
	for await (const _ of setInterval(50)) {
		const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
		const kb = /VmHWM:\s+(\d+)/.exec(status)?.[1];
		if (!kb) break;
		peak = Number(kb) / 1024;
	}
	return peak;
}

/** Returns each post as a file of Markdown with its front matter. */
async function readArticles(url: string): Promise<{ slug: string; text: string }[]> {
	const db = await openDb(url);
	const rows = await db.all<{
		slug: string;
		title: string;
		content: string;
		publishedAt: number;
		category: string;
		tags: string;
	}>(
		sql`select p.slug, p.title, p.content, p.published_at as publishedAt, c.name as category,
			(select json_group_array(t.name) from post_tags x join tags t on t.id = x.tag_id where x.post_id = p.id) as tags
		from posts p join categories c on c.id = p.category_id`,
	);
	db.$client.close();
	return rows.map(({ slug, title, content, publishedAt, category, tags }) => {
		const matter = [
			['layout', 'post'],
			['title', title],
			['date', new Date(publishedAt).toISOString()],
			['categories', [category]],
			['tags', JSON.parse(tags)],
		].map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
		return {
			slug,
			text: `---\n${matter.join('\n')}\n---\n\n${toMarkdown(content)}`,
		};
	});
}

/** Returns a generated article as Markdown: it has only what is replaced here. */
function toMarkdown(html: string): string {
	return html
		.replace(/<pre><code class="language-(\w+)">/g, '```$1\n')
		.replaceAll('</code></pre>', '```')
		.replace(/<h2>(.*?)<\/h2>/g, '\n## $1\n')
		.replace(/<p>(.*?)<\/p>/g, '$1\n')
		.replace(/<\/?strong>/g, '**')
		.replace(/<\/?code>/g, '`')
		.replace(/<a href="(.*?)">(.*?)<\/a>/g, '[$2]($1)')
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&amp;', '&');
}
