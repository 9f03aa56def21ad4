/**
 * Tries a site with programs of Debian that are no browsers with scripts, and prints what each did wrong: `npm run
 * test:clients`, which needs `newsboat liferea lynx w3m claws-mail xvfb dbus imagemagick`. Two feed readers subscribe, and
 * read again after an article was renamed, one changed, one deleted and one published. Two text browsers read an article
 * and comment on it. Claws Mail opens the letter that the site wrote; the picture of that is to be looked at.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { siteFolder } from '#src/build/builds.ts';
import { mailboxFolder } from '#src/core/outbox/transport.server.ts';
import { startHost, type Host } from '#tests/support/host.ts';

/** As long as a program of this kind may take for one thing. */
const PATIENCE_MS = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'groundtruth-clients-'));
const picture = join(tmpdir(), 'groundtruth-letter.png');
const programs = new Set<ChildProcess>();
let faults = 0;

/** Waits until something is so. Throws what it was waiting for. */
async function until<Out>(what: string, look: () => Out | Promise<Out>): Promise<NonNullable<Out>> {
	for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await wait(200)) {
		const found: unknown = await look();
		if (found) return found as NonNullable<Out>;
	}
	throw new Error(`${what}: not in ${PATIENCE_MS / 1000} seconds`);
}

/** Tells whether something is as it should be. */
function check(who: string, what: string, is: unknown, should: unknown): void {
	const isSo = JSON.stringify(is) === JSON.stringify(should);
	if (!isSo) faults++;
	console.log(
		isSo
			? `${who}: ${what}`
			: `${who}: NOT ${what}: ${JSON.stringify(is)}, ${JSON.stringify(should)} expected`,
	);
}

/** Starts a program with a home of its own. What it says is in `said`. */
function start(home: string, command: string, args: string[], env: Record<string, string> = {}) {
	const child = spawn(command, args, {
		env: {
			...process.env,
			...{ HOME: home, TERM: 'xterm', LANG: 'C.UTF-8', GSETTINGS_BACKEND: 'memory' },
			...{ XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home },
			...env,
		},
	});
	programs.add(child);
	child.once('close', () => programs.delete(child));
	const program = { child, said: '' };
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (part) => (program.said += String(part)));
	child.on('error', (error) => (program.said += String(error)));
	return program;
}

async function run(home: string, command: string, args: string[], env?: Record<string, string>) {
	const program = start(home, command, args, env);
	await once(program.child, 'close');
	return program.said;
}

async function homeOf(name: string): Promise<string> {
	const home = join(folder, name);
	await mkdir(home, { recursive: true });
	return home;
}

/** An article as a feed reader keeps it. */
type Item = { guid: string; title: string; url: string; text: string; unread: boolean };
type Reader = {
	/** Whether it takes the new title and text of an article that it has. */
	renews: boolean;
	read(): Promise<void>;
	items(): Item[];
	markRead(): void;
	close(): Promise<void>;
};

function query(path: string, words: string): Item[] {
	const db = new DatabaseSync(path);
	db.exec('pragma busy_timeout = 10000');
	try {
		return db
			.prepare(words)
			.all()
			.map((row) => ({ ...row, unread: row['unread'] === 1 }) as unknown as Item);
	} finally {
		db.close();
	}
}

function execute(path: string, words: string): void {
	const db = new DatabaseSync(path);
	db.exec('pragma busy_timeout = 10000');
	db.exec(words);
	db.close();
}

async function newsboat(feed: string): Promise<Reader> {
	const home = await homeOf('newsboat');
	const cache = join(home, 'cache.db');
	await writeFile(join(home, 'urls'), `${feed}\n`);
	await writeFile(join(home, 'config'), '');
	const args = ['-u', join(home, 'urls'), '-C', join(home, 'config'), '-c', cache];
	return {
		renews: true,
		read: async () => void (await run(home, 'newsboat', [...args, '-x', 'reload'])),
		items: () => query(cache, 'select guid, title, url, content as text, unread from rss_item'),
		markRead: () => execute(cache, 'update rss_item set unread = 0'),
		close: async () => {},
	};
}

async function liferea(feed: string): Promise<Reader> {
	const home = await homeOf('liferea');
	await mkdir(join(home, 'liferea'));
	const store = join(home, 'liferea', 'liferea.db');
	const list = '<?xml version="1.0"?><opml version="1.0"><body></body></opml>';
	await writeFile(join(home, 'liferea', 'feedlist.opml'), list);
	const program = start(home, 'liferea', ['-w', 'shown', '-p'], screen);
	const tell = (name: string, ...args: string[]) =>
		run(
			home,
			'dbus-send',
			[
				...['--session', '--print-reply', '--dest=org.gnome.feed.Reader'],
				...['/org/gnome/feed/Reader', `org.gnome.feed.Reader.${name}`, ...args],
			],
			screen,
		);
	await until('Liferea starts', async () => (await tell('Ping')).includes('true'));
	let isSubscribed = false;
	return {
		// It keeps an article whose id it knows as it was, in all formats.
		renews: false,
		async read() {
			await tell(...((isSubscribed ? ['Refresh'] : ['Subscribe', `string:${feed}`]) as [string]));
			isSubscribed = true;
		},
		items: () =>
			query(
				store,
				'select source_id as guid, title, source as url, description as text, 1 - read as unread from items',
			),
		markRead: () => execute(store, 'update items set read = 1'),
		close: async () => {
			program.child.kill();
			await once(program.child, 'close');
		},
	};
}

/** Subscribes, and reads again after articles have come, changed and gone. */
async function followFeed(
	host: Host,
	who: string,
	open: (feed: string) => Promise<Reader>,
	file: string,
) {
	const feed = `${host.address}/${file}`;
	const post = (name: string) => host.publish(`${who} ${name}`, `<p>First words of ${name}.</p>`);
	const [renamed, changed, deleted] = [
		await post('Renamed'),
		await post('Changed'),
		await post('Deleted'),
	];
	const served = async (words: string) => (await (await fetch(feed)).text()).includes(words);
	await until('The articles are live', () => served(`${who} Deleted`));
	const reader = await open(feed);
	await reader.read();
	await until(`${who} has the articles`, () =>
		reader.items().some(({ title }) => title === `${who} Deleted`),
	);
	const before = reader.items().length;
	reader.markRead();

	const save = async (id: string, form: object) => {
		const { version } = (await (await host.asAdmin('GET', `/api/admin/posts/${id}`)).json()) as {
			version: number;
		};
		const response = await host.asAdmin('PUT', `/api/admin/posts/${id}`, { ...form, version });
		if (!response.ok) throw new Error(await response.text());
	};
	await save(renamed.id, { title: `${who} Has another name`, slug: `${renamed.slug}-now` });
	await save(changed.id, {
		content: '<p>Other words of it.</p>',
		change: { kind: 'correction', note: 'The words were wrong.' },
	});
	await host.asAdmin('DELETE', `/api/admin/posts/${deleted.id}`);
	await post('New');
	await until('The changes are live', () => served(`${who} New`));
	await reader.read();
	// It writes one article after the other.
	let last = '';
	await until(`${who} has read the new one`, async () => {
		await wait(1000);
		const earlier = last;
		last = JSON.stringify(reader.items());
		return last === earlier && last.includes(`${who} New`);
	});

	const items = reader.items();
	const of = ({ id }: { id: string }) => items.filter(({ guid }) => guid === `urn:uuid:${id}`);
	check(who, 'knows each article once', new Set(items.map(({ guid }) => guid)).size, items.length);
	check(who, 'has one more than before', items.length, before + 1);
	check(
		who,
		'shows only the new one as unread',
		items.filter(({ unread }) => unread).map(({ title }) => title),
		[`${who} New`],
	);
	const [name, path] = reader.renews
		? ['Has another name', `${renamed.slug}-now`]
		: ['Renamed', renamed.slug];
	check(
		who,
		`has the renamed one as ${name}`,
		of(renamed).map(({ title, url }) => [title, url]),
		[[`${who} ${name}`, `${host.address}/blog/${path}`]],
	);
	check(
		who,
		`has ${reader.renews ? 'the new' : 'its first'} words of the changed one`,
		of(changed).map(({ text }) => text.includes('Other words')),
		[reader.renews],
	);
	check(
		who,
		'keeps what it had of the deleted one',
		of(deleted).map(({ title }) => title),
		[`${who} Deleted`],
	);
	const old = await fetch(`${host.address}/blog/${renamed.slug}`, { redirect: 'manual' });
	check(
		who,
		'is led on from the former address',
		[old.status, old.headers.get('Location')],
		[301, `/blog/${renamed.slug}-now`],
	);
	check(
		who,
		'is told that the deleted one is gone',
		(await fetch(`${host.address}/blog/${deleted.slug}`)).status,
		404,
	);
	await reader.close();
}

/** Presses keys in a program of the terminal, each time once it has shown what it waits for and draws no more. */
async function press(program: ReturnType<typeof start>, steps: [shown: string, keys: string][]) {
	for (const [shown, keys] of steps) {
		let last = -1;
		await until(`The terminal shows “${shown}”`, async () => {
			const isStill = last === program.said.length;
			last = program.said.length;
			return isStill && program.said.includes(shown);
		});
		program.said = '';
		program.child.stdin.write(keys);
	}
}

/** Reads an article in a browser of the terminal, and comments on it. */
async function comment(host: Host, name: 'lynx' | 'w3m', slug: string, words: string) {
	const home = await homeOf(name);
	const address = `${host.address}/blog/${slug}`;
	const text = await run(home, name, ['-dump', address]);
	check(
		name,
		'shows the title, the text and the form',
		[words, 'Leave a comment', 'Post comment'].filter((one) => !text.includes(one)),
		[],
	);
	const typed = `Read without scripts in ${name}`;
	const inTerminal = (command: string) =>
		start(home, 'script', ['-qec', command, '/dev/null'], { EDITOR: join(home, 'editor') });
	if (name === 'lynx') {
		const keysOf = (line: string) => [...line].map((key) => (key === ' ' ? '<space>' : key));
		const fields = ['Reader', `${name}@example.com`, typed, '', ''].flatMap((line) => [
			...keysOf(line),
			'<tab>',
		]);
		const keys = [...fields, '^J', 'Q'].map((key) => `key ${key}`).join('\n');
		await writeFile(join(home, 'keys'), `${keys}\n`);
		const program = inTerminal(
			`lynx -accept_all_cookies -cmd_script=${join(home, 'keys')} ${address}#comments`,
		);
		await once(program.child, 'close');
	} else {
		await writeFile(join(home, 'editor'), `#!/bin/sh\necho '${typed}' > "$1"\n`);
		await chmod(join(home, 'editor'), 0o755);
		const program = inTerminal(`w3m -o confirm_qq=0 -o accept_cookie=1 '${address}#comments'`);
		await press(program, [
			['Viewing', '/Leave a comment\n'],
			['Leave', '\t'],
			['', '\n'],
			['', 'Reader\n'],
			['Reader', '\t\n'],
			['', `${name}@example.com\n`],
			['example.com', '\t\n'],
			['Read', '\t\t\t\n'],
			['Comment posted', 'q'],
		]);
		program.child.kill();
	}
	const { id } = (await (await fetch(`${host.address}/api/posts/${slug}`)).json()) as {
		id: string;
	};
	const comments = (await (await fetch(`${host.address}/api/posts/${id}/comments`)).json()) as {
		content: string;
	}[];
	check(
		name,
		'has commented',
		comments.filter(({ content }) => content.trim() === typed).length,
		1,
	);
}

/** Opens the letters that the site wrote in Claws Mail, and makes a picture of the first. */
async function openLetter(mailbox: string) {
	const home = await homeOf('claws');
	const [settings, inbox] = [join(home, '.claws-mail'), join(home, 'Mail', 'inbox')];
	for (const one of [settings, inbox]) await mkdir(one, { recursive: true });
	const letters = (await readdir(mailbox)).filter((name) => name.endsWith('.eml'));
	for (const [index, name] of letters.entries())
		await copyFile(join(mailbox, name), join(inbox, String(index + 1)));
	const account = 'account_name=x\nis_default=1\nname=Ada\naddress=ada@example.com\nprotocol=5\n';
	await writeFile(join(settings, 'accountrc'), `[Account: 1]\n${account}`);
	const items = ['inbox', 'outbox', 'draft', 'queue', 'trash']
		.map((type) => `<folderitem type="${type}" name="${type}" path="${type}"/>`)
		.join('');
	await writeFile(
		join(settings, 'folderlist.xml'),
		`<?xml version="1.0"?><folderlist><folder type="mh" name="Mail" path="Mail">${items}</folder></folderlist>`,
	);
	await writeFile(
		join(settings, 'clawsrc'),
		'[Common]\nconfig_version=4\nmainwin_width=1100\nmainwin_height=800\n',
	);
	const program = start(home, 'claws-mail', [], screen);
	const ask = (...args: string[]) => run(home, 'claws-mail', args, screen);
	/** Returns how many letters of the inbox are unread, and how many there are. */
	const counts = async () =>
		/^ *\d+ +(\d+) +(\d+) #mh\/Mail\/inbox$/m
			.exec(await ask('--status-full'))
			?.slice(1)
			.map(Number);
	// It looks into a folder when that is opened.
	await until('Claws Mail opens a letter', async () => {
		await ask('--select', '#mh/Mail/inbox/1');
		return (await counts())?.[0] === letters.length - 1;
	});
	check('claws-mail', 'has the others as unread', await counts(), [
		letters.length - 1,
		letters.length,
	]);
	await run(home, 'import', ['-window', 'root', picture], screen);
	console.log(`claws-mail: see ${picture}`);
	await ask('--exit');
	program.child.kill();
}

const url = `file:${join(folder, 'site.db')}`;
const display = `:${90 + (process.pid % 900)}`;
const screen: Record<string, string> = { DISPLAY: display, NO_AT_BRIDGE: '1' };
let host: Host | undefined;
try {
	start(folder, 'Xvfb', [display, '-screen', '0', '1280x900x24', '-nolisten', 'tcp']);
	const bus = start(folder, 'dbus-daemon', ['--session', '--nofork', '--print-address=1'], screen);
	screen['DBUS_SESSION_BUS_ADDRESS'] = await until(
		'The bus starts',
		() => /^unix:\S+/m.exec(bus.said)?.[0],
	);
	host = await startHost({ DATABASE_URL: url });
	await followFeed(host, 'newsboat', newsboat, 'atom.xml');
	await followFeed(host, 'liferea', liferea, 'rss.xml');
	const { slug } = await host.publish('For the terminal', '<p>Words without scripts.</p>');
	await until('The article is live', async () => (await fetch(`${host!.address}/blog/${slug}`)).ok);
	for (const name of ['lynx', 'w3m'] as const)
		await comment(host, name, slug, 'Words without scripts.');
	const mailbox = mailboxFolder(url);
	await until(
		'Letters are written',
		async () => (await readdir(mailbox).catch(() => [])).length > 1,
	);
	await openLetter(mailbox);
} catch (error) {
	faults++;
	console.error(error instanceof Error ? error.message : String(error));
} finally {
	const ended = [...programs].map((program) => once(program, 'close'));
	for (const program of programs) program.kill();
	await Promise.all(ended);
	await host?.stop();
	for (const one of [folder, siteFolder(url)]) await rm(one, { recursive: true, force: true });
}
console.log(`${faults} faults`);
process.exit(faults > 0 ? 1 : 0);
