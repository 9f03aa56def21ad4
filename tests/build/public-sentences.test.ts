import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setDb, type Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import { categories, comments, pages, posts, postTags, series, tags } from '#db/schema.ts';
import { everyEmail } from '#src/cli/mail-examples.ts';
import { emailText, type EmailContent } from '#src/core/outbox/email-content.ts';
import { readerLinks } from '#src/core/outbox/mail.server.ts';
import { readSiteSettings, updateSite } from '#src/core/settings/site.server.ts';
import { readLessons } from '#src/features/course/lessons.server.ts';
import { HOUR } from '#src/lib/dates.ts';
import { getEnv } from '#src/lib/env.ts';
import { DEFAULT_SETTINGS, HOME_SECTIONS, OFFERS, withoutSamples } from '#src/site.ts';
import { TEXT_KEYS, TEXTS, USUAL_TIMES, withTimes } from '#src/texts.ts';
import { fetchApi } from '#tests/support/api.ts';
import { seedOnlyPages } from '#tests/support/seed.ts';
import {
	isSentence,
	sentencesOfHtml,
	sentencesOfJson,
	sentencesOfScript,
	sentencesOfText,
	sentencesOfXml,
} from '#tests/support/sentences.ts';

const run = promisify(execFile);
const now = new Date();
const by = { actor: 'admin@example.com', now };
/** Returns the owner's words for a place. Where they are left out, words of ours remain. */
const own = (place: string) => `Owner ¤${place}¤`;
const OWN = /Owner ¤[^¤]*¤[.:]?/g;
/** Emails that only the owner gets. */
const TO_OWNER = [
	'sign-in',
	'account',
	'reset',
	'contact',
	'issue-to-approve',
	'comment-held',
	'comment-shown',
	'comments-of-a-day',
];

let folder: string;
let db: Db;
const found = new Map<string, Set<string>>();

/** Notes sentences in which something is left that the owner has not said. */
function note(place: string, sentences: string[]): void {
	for (const sentence of sentences) {
		if (sentence.endsWith(' | Zebra Post')) continue;
		const ours = sentence.replaceAll(OWN, '').trim();
		if (!isSentence(ours)) continue;
		const shown = sentence.replaceAll(OWN, '%OWN%');
		found.set(shown, (found.get(shown) ?? new Set()).add(place));
	}
}

/** The owner's words for every text of the list. */
function ownTexts() {
	const texts = TEXT_KEYS.map((key) => {
		const { rule } = TEXTS[key] as { rule?: string };
		if (rule === 'path') return [key, '/about'];
		return [key, rule === 'promises' ? `${own(key)}: ${own(key)}` : own(key)];
	});
	return Object.fromEntries(texts) as Record<(typeof TEXT_KEYS)[number], string>;
}

beforeAll(async () => {
	// In the checkout: Astro takes no other for its bundles.
	await mkdir('.site', { recursive: true });
	folder = resolve(await mkdtemp(join('.site', 'sentences-')));
	const url = `file:${join(folder, 'site.db')}`;
	db = await openDb(url);
	setDb(db);
	await migrateDb(db);
	await seedOnlyPages(db);
	await updateSite(
		db,
		{
			...withoutSamples(DEFAULT_SETTINGS),
			...{
				name: 'Zebra Post',
				newsletter: 'Zebra Letter',
				tagline: own('tagline'),
				description: own('description'),
			},
			...{
				contactEmail: 'a@zebra.example',
				privacyEmail: 'b@zebra.example',
				senderEmail: 'c@zebra.example',
			},
			...{ operator: own('operator'), sections: HOME_SECTIONS, asksReaders: 'on' },
			...ownTexts(),
		},
		by,
	);
	await readSiteSettings(db);
	// Pages are the owner's, with their titles and lists.
	for (const { id, slug } of await db.select().from(pages)) {
		const question = { question: own(slug), answer: own(slug) };
		await db
			.update(pages)
			.set({
				content: `<p>${own(slug)}</p>`,
				description: own(slug),
				questions: [question],
				testimonials: [],
			})
			.where(eq(pages.id, id));
	}
}, 120_000);

afterAll(async () => {
	db.$client.close();
	await rm(folder, { recursive: true, force: true });
});

/** Builds the site and notes what it serves to readers: every file but the desk, pictures and styles. */
async function readSite(): Promise<void> {
	const out = join(folder, 'out');
	await run(process.execPath, ['tests/support/build-site.ts', out, join(folder, 'cache')], {
		env: {
			...process.env,
			DATABASE_URL: `file:${join(folder, 'site.db')}`,
			SITE_URL: 'https://site.test',
			INVENTED_PROOF: 'off',
			ASTRO_TELEMETRY_DISABLED: '1',
		},
	});
	const entries = await readdir(out, { recursive: true, withFileTypes: true });
	const files = entries
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(out.length))
		.filter((file) => !/^\/(admin|styleguide|preview)|openapi/.test(file));
	ours ||= (
		await Promise.all(globSync('src/**/*.{ts,tsx,astro}').map((file) => readFile(file, 'utf8')))
	)
		.join('\n')
		.replaceAll("\\'", "'")
		.replace(/\s+/g, ' ');
	changeable ||= (await readFile('src/texts.ts', 'utf8')) + (await readFile('src/site.ts', 'utf8'));
	changeable += withTimes(changeable, USUAL_TIMES);
	const scripts = new Set<string>();
	for (const file of files) {
		const readers: Record<string, (text: string) => string[]> = {
			html: sentencesOfHtml,
			...{ xml: sentencesOfXml, rss: sentencesOfXml, svg: sentencesOfXml },
			...{ json: sentencesOfJson, webmanifest: sentencesOfJson },
			...{ md: sentencesOfText, txt: sentencesOfText },
		};
		const read = readers[file.slice(file.lastIndexOf('.') + 1)];
		if (!read) continue;
		const text = await readFile(out + file, 'utf8');
		served += text;
		note(file, read(text));
		if (file.endsWith('.html'))
			for (const [script] of text.matchAll(/\/_astro\/[\w.-]+\.js/g)) scripts.add(script);
	}
	for (const script of scripts) {
		const code = await readFile(out + script, 'utf8');
		for (const [, name] of code.matchAll(/["'`](?:\.\/|\/?_astro\/)([\w.-]+\.js)["'`]/g))
			scripts.add(`/_astro/${name}`);
		// Islands hold the usual texts, and their pages give them the owner's.
		const usual = (one: string) => one.split('…').every((part) => changeable.includes(part));
		note(
			script.replace(/\.[\w-]+\.js$/, ''),
			sentencesOfScript(code).filter(
				(one) => ours.includes(one.split('…').find(Boolean) ?? one) && !usual(one),
			),
		);
	}
}

let served = '';
/** Sources of the program, whose words no library says. */
let ours = '';
/** Its usual texts, in whose places owners say theirs. */
let changeable = '';

/** Gives the site articles of its owner, in every place that shows some. */
async function writeArticles(): Promise<void> {
	await db
		.insert(categories)
		.values({ id: 'c1', name: own('category'), slug: 'own', description: own('category text') });
	await db.insert(tags).values({ id: 't1', name: own('tag'), slug: 'own' });
	const ids = ['1', '2', '3', '4', '5'];
	await db.insert(posts).values(
		ids.map((id) => ({
			...{ id, slug: `own-${id}`, title: own(`title ${id}`), excerpt: own(`excerpt ${id}`) },
			...{ content: `<p>${own(`article ${id}`)}</p>`, author: own('author'), categoryId: 'c1' },
			...{
				published: true,
				publishedAt: new Date(now.getTime() - HOUR),
				createdAt: now,
				updatedAt: now,
			},
		})),
	);
	await db.insert(postTags).values(ids.map((postId) => ({ postId, tagId: 't1' })));
	await db.insert(series).values({
		id: 's1',
		name: own('series'),
		slug: 'own',
		description: own('series text'),
		articles: ids,
	});
	await db.insert(comments).values({
		id: 'k1',
		postId: '1',
		author: own('reader'),
		email: 'r@example.com',
		content: own('comment'),
	});
}

/** Notes what forms answer, as data and as a page: to nothing, to something wrong, and to what is right. */
async function readForms(): Promise<void> {
	const api = fetchApi();
	const right = { email: 'reader@example.com', elapsedMs: 60_000 };
	const forms: Record<string, object> = {
		'/api/subscribers': right,
		'/api/mailerlite/subscribe': right,
		'/api/personal-data': right,
		'/api/email-course/enroll': right,
		'/api/content-upgrade': { ...right, upgradeType: 'guide' },
		'/api/comments': { ...right, postId: '1', author: 'Emil', content: own('comment') },
		'/api/contact': { ...right, name: 'Emil', topic: own('topics'), message: own('message') },
		'/api/feedback': { ...right, postId: '1', answer: 'no', words: own('words') },
	};
	for (const [path, given] of Object.entries(forms))
		for (const body of [{}, { ...given, email: 'nobody' }, given]) {
			const data = await api(path, { method: 'POST', body: JSON.stringify(body) });
			note(path, sentencesOfJson(await data.text()));
			const fields = Object.entries(body).map(([name, value]) => [name, String(value)]);
			const page = await api(path, {
				method: 'POST',
				body: new URLSearchParams(fields).toString(),
				headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
			});
			note(`${path} as a page`, sentencesOfHtml(await page.text()));
		}
	const env = getEnv();
	const links = readerLinks({ ...env, SECRET: env.SECRET! }, 'weekly', right.email);
	const choices: [link: string, choices: string[]][] = [
		[links.leave, ['']],
		[links.preferences, ['', 'weekly-leave', 'data-link']],
		[links.course, ['', 'pause', 'resume', 'next', 'stop']],
		[`${env.SITE_URL}/confirm?token=broken`, ['']],
	];
	for (const [link, values] of choices)
		for (const choice of values) {
			const { pathname, searchParams } = new URL(link);
			const body = new URLSearchParams({ token: searchParams.get('token')!, choice });
			const page = await api(pathname, {
				method: 'POST',
				body: body.toString(),
				headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
			});
			note(pathname, sentencesOfHtml(await page.text()));
		}
}

/** Notes what emails to readers say around the words of people, articles and lessons, which the examples have. */
async function readMails(): Promise<void> {
	const source = await readFile('src/cli/mail-examples.ts', 'utf8');
	const words = [...source.matchAll(/'([^'\n]{6,})'/g)].flatMap(([, text]) => text!.split('\\n'));
	const lessons = (await readLessons()).flatMap(({ title, summary }) => [title, summary]);
	const known = [...words.map((text) => text.replace(/<[^>]*>/g, '')), ...lessons]
		.filter((text) => /[ @]/.test(text))
		.sort((a, b) => b.length - a.length);
	for (const [name, email] of Object.entries(await everyEmail())) {
		if (TO_OWNER.includes(name)) continue;
		served += JSON.stringify(email);
		let text = 'blocks' in email ? wordsOf(email) : email.text;
		for (const one of known) text = text.replaceAll(one, '…');
		note(
			`email ${name}`,
			sentencesOfText(text).filter((one) => !known.includes(one)),
		);
	}
}

/** Returns what the program says in an email. Lessons, articles and what somebody typed are no words of it. */
function wordsOf(email: EmailContent): string {
	const blocks = email.blocks.filter(({ kind }) => !['article', 'typed', 'quote'].includes(kind));
	return [email.subject, email.preview, emailText({ ...email, blocks })].join('\n');
}

test('a renamed, emptied site says and sends nothing of ours that its owner cannot change, but for what is listed', async () => {
	await readSite();
	await writeArticles();
	await updateSite(db, { offered: OFFERS }, by);
	await readSite();
	await readForms();
	await readMails();
	const missing = TEXT_KEYS.filter(
		(key) => TEXTS[key as never]['rule'] !== 'path' && !served.includes(own(key)),
	);
	expect(missing, 'texts of the list that nobody reads').toEqual([]);

	const listed = (await readFile('docs/public-sentences.md', 'utf8'))
		.split('\n')
		.filter((line) => line.startsWith('- '))
		.map((line) => line.slice(2));
	const patterns = listed.map(
		(text) =>
			[
				text,
				new RegExp(
					`^${text
						.split('…')
						.map((part) => RegExp.escape(part))
						.join('.+')}$`,
					's',
				),
			] as const,
	);
	const unlisted = [...found].filter(
		([text]) => !patterns.some(([, pattern]) => pattern.test(text)),
	);
	expect(
		unlisted.map(([text, places]) => `${text} (${[...places].slice(0, 3).join(', ')})`),
	).toEqual([]);
	const stale = patterns.filter(
		([, pattern]) => ![...found.keys()].some((text) => pattern.test(text)),
	);
	expect(
		stale.map(([text]) => text),
		'exceptions that nothing says any more',
	).toEqual([]);
}, 600_000);
