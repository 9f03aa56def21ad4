import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT, siteFolder } from '#src/build/builds.ts';

const run = promisify(execFile);
const DOCUMENTS = ['docs/deploy.md', 'docs/runbook.md'];
const UNIT = 'docs/deploy/groundtruth.service';

/** Folders and files that the set-up makes: what is printed may name no other of the machine's own. */
const PLACES = [
	'/opt/groundtruth',
	'/var/lib/groundtruth',
	'/var/lib/groundtruth/site.backups',
	'/var/backups/groundtruth',
	'/etc/groundtruth.env',
];
const FOREIGN = [
	'/etc/systemd/system/',
	'/usr/local/sbin/',
	'/usr/sbin/nologin',
	'/nonexistent',
	'/dev/null',
	'/var/lib/sqld',
	'/etc/sqld/jwt.pem',
];

/** Commands of the system that are printed, which are not run here. */
const SYSTEM = [
	...[
		'awk',
		'cat',
		'cd',
		'cp',
		'curl',
		'df',
		'docker',
		'echo',
		'free',
		'git',
		'grep',
		'head',
		'install',
		'journalctl',
	],
	...['ls', 'mkdir', 'mount', 'openssl', 'sqld', 'systemctl', 'top', 'useradd', 'vmstat'],
];

/** Printed commands of the site in the order in which they are run, and a part of the answer of each. */
const SAID: [command: string, says: RegExp][] = [
	['groundtruth admin', /The admin is owner@example\.com/],
	['groundtruth admin --remove-second-factor', /The password alone is enough/],
	['groundtruth backup /var/backups/groundtruth', /backups\/site-.*\.db\nIt holds 0 posts/],
	['groundtruth restore FILE', /There is a database already|--force/],
	['groundtruth restore FILE --force', /^Restored 0 posts/],
	['groundtruth restore --latest', /There is a database already|--force/],
	['groundtruth restore --latest --force', /Restored 0 posts/],
	['groundtruth rollback', /No build is kept yet/],
	['groundtruth rollback 2', /^There is no build 2/],
	['groundtruth rollback newest', /A build is asked for/],
];

let scratch: string;
let url: string;

/** Stands for systemd: does what the properties of a transient unit say, with the machine's folders in a scratch one. */
const SYSTEMD_RUN = `
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
const args = process.argv.slice(2);
const here = (text) => text
	.replaceAll('/opt/groundtruth', process.env.TEST_ROOT.replace(/\\/$/, ''))
	.replaceAll('/var/lib/groundtruth', process.env.TEST_SCRATCH + '/data')
	.replaceAll('/var/backups/groundtruth', process.env.TEST_SCRATCH + '/backups')
	.replaceAll('/etc/groundtruth.env', process.env.TEST_SCRATCH + '/groundtruth.env');
const env = { PATH: '/usr/bin:/bin' };
const set = (line) => (env[line.slice(0, line.indexOf('='))] = here(line.slice(line.indexOf('=') + 1)));
const said = [];
let cwd;
while (args[0].startsWith('--')) {
	const option = args.shift();
	if (['--quiet', '--wait', '--collect', '--pipe', '--pty'].includes(option)) continue;
	if (option !== '--property') throw new Error('unknown option ' + option);
	const [, name, value] = /^(\\w+)=(.*)$/.exec(args.shift());
	said.push(name + '=' + value);
	if (name === 'Environment') set(value);
	if (name === 'WorkingDirectory') cwd = here(value);
	if (name === 'EnvironmentFile')
		readFileSync(here(value.replace(/^-/, '')), 'utf8').split('\\n').filter(Boolean).forEach(set);
}
process.stderr.write('PROPERTIES ' + JSON.stringify(said) + '\\n');
const { status } = spawnSync(here(args[0]), args.slice(1).map(here), { cwd, env, stdio: 'inherit' });
process.exit(status);
`;

beforeAll(async () => {
	scratch = await mkdtemp(join(tmpdir(), 'printed-'));
	url = `file:${join(scratch, 'data/site.db')}`;
	await mkdir(join(scratch, 'bin'));
	await mkdir(join(scratch, 'backups'));
	await symlink(join(ROOT, 'docs/deploy/groundtruth'), join(scratch, 'bin/groundtruth'));
	await writeFile(join(scratch, 'run.mjs'), SYSTEMD_RUN);
	const script = (name: string, text: string) =>
		writeFile(join(scratch, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
	await script('systemctl', `[ -z "$TEST_ROOT" ] || exec cat "${join(ROOT, UNIT)}"; exit 1`);
	await script('systemd-run', `exec "${process.execPath}" "${join(scratch, 'run.mjs')}" "$@"`);
	await writeFile(
		join(scratch, 'groundtruth.env'),
		'ADMIN_EMAIL=owner@example.com\nADMIN_PASSWORD=Right-1-here-now\nMAIL_FROM=Groundtruth <letters@example.com>\n',
	);
});

afterAll(async () => {
	await rm(scratch, { recursive: true, force: true });
	await rm(siteFolder(url), { recursive: true, force: true });
});

/** Runs a command of the site as printed. Returns all that it says, and the properties that systemd is given. */
async function runPrinted(command: string, env: Record<string, string>) {
	const [name, ...args] = command.split(' ');
	const path = [join(scratch, 'bin'), process.env['PATH']].join(delimiter);
	const { stdout, stderr } = await run(name!, args, {
		cwd: scratch,
		env: { PATH: path, ...env },
	}).catch((error: unknown) => error as { stdout: string; stderr: string });
	const properties = /^PROPERTIES (.*)\n/.exec(stderr)?.[1];
	return {
		said: stdout + stderr.replace(/^PROPERTIES .*\n/, ''),
		properties: properties ? (JSON.parse(properties) as string[]) : [],
	};
}

/** Returns the simple commands of a document's blocks of shell, and what stands in its text as one of the site's commands. */
async function printedIn(document: string): Promise<string[]> {
	const text = await readFile(join(ROOT, document), 'utf8');
	const blocks = text.matchAll(/^( *)```sh\n([\s\S]*?)^\1```/gm).map(([, , code]) => code!);
	const lines = blocks.flatMap((code) =>
		code
			.replaceAll(/ <<'(\w+)'\n[\s\S]*?\n\1$/gm, '')
			.replaceAll(/\\\n\s*/g, '')
			.split('\n'),
	);
	const ofBlocks = lines.flatMap((line) =>
		line.replace(/(^|\s)#.*$/, '').split(/\s*(?:&&|;|(?<!\S)\|(?!\S))\s*/),
	);
	const inText = text
		.matchAll(/`((?:groundtruth|npm run|docker exec) [^`]*)`/g)
		.map(([, code]) => code!.replaceAll(/\s+/g, ' '));
	return [...ofBlocks, ...inText].map((line) => line.trim()).filter(Boolean);
}

/** Returns the command of the site that a command is, also in the container. */
const ofSite = (command: string) =>
	command.replace(/^docker exec (-\w+ )?groundtruth (?=groundtruth )/, '');

test.for(DOCUMENTS)(
	'each command that %s prints is known, with places that the set-up makes',
	async (document) => {
		const known = SAID.map(([command]) => command);
		// Where the database is elsewhere, any machine with a checkout will do.
		const elsewhere = ['npm run archive'];
		for (const printed of await printedIn(document)) {
			const command = ofSite(printed);
			const [name = ''] = command.split(' ');
			if (name === 'groundtruth' && !/ …$|^groundtruth$/.test(command))
				expect(known, `${document}: ${printed}`).toContain(command.replace(/ "?FILE"?/, ' FILE'));
			else if (name === 'npm')
				expect([...elsewhere, 'npm ci --omit=dev --loglevel=error'], document).toContain(command);
			else if (name !== 'groundtruth') expect(SYSTEM, `${document}: ${printed}`).toContain(name);
			if (/^(systemctl|journalctl) /.test(command))
				expect(command).toMatch(/ groundtruth\b| daemon-reload$/);
			for (const path of command.match(
				/(?<=[\s=:])\/(?:etc|opt|usr|var|nonexistent|dev)[^\s:"]*/g,
			) ?? [])
				expect([...PLACES, ...FOREIGN], `${document}: ${printed}`).toContain(path);
		}
	},
);

test('the commands of the site work as printed, as their service runs', async () => {
	const env = { TEST_ROOT: ROOT, TEST_SCRATCH: scratch };
	const unit = (await readFile(join(ROOT, UNIT), 'utf8')).split('\n');
	let file = '';
	for (const [command, says] of SAID) {
		// The newest of the nightly copies is the backup.
		if (command.includes('--latest')) await symlinkOnce(join(scratch, 'backups'));
		const { said, properties } = await runPrinted(command.replace('FILE', file), env);
		expect(said, command).toMatch(says);
		expect(said, command).not.toMatch(/^\s+at /m);
		if (command.includes(' backup ')) file = said.split('\n')[0]!;
		for (const name of [
			'User',
			'Group',
			'WorkingDirectory',
			'Environment',
			'EnvironmentFile',
			'BindPaths',
			'UMask',
		])
			expect(
				properties.filter((line) => line.startsWith(`${name}=`) && !line.includes('INIT_CWD')),
			).toEqual(unit.filter((line) => line.startsWith(`${name}=`)));
	}
}, 240_000);

async function symlinkOnce(backups: string): Promise<void> {
	await symlink(backups, join(scratch, 'data/site.backups')).catch(() => {});
}

test('they work in the container, by the same name and by npm', async () => {
	const data = join(scratch, 'in-container');
	const env = {
		GROUNDTRUTH_FOLDER: ROOT,
		DATABASE_URL: `file:${join(data, 'site.db')}`,
		ADMIN_EMAIL: 'owner@example.com',
		ADMIN_PASSWORD: 'Right-1-here-now',
	};
	try {
		expect((await runPrinted('groundtruth backup /nowhere', env)).said).toMatch(
			/^There is no database/,
		);
		expect((await runPrinted('groundtruth rollback', env)).said).toMatch(/^There is no database/);
		expect((await runPrinted('groundtruth admin', env)).said).toMatch(/The admin is/);
		expect((await runPrinted(`groundtruth backup ${join(data, 'copies')}`, env)).said).toMatch(
			/It holds/,
		);
		await writeFile(join(data, 'file'), '');
		const { said } = await runPrinted(`groundtruth backup ${join(data, 'file/below')}`, env);
		expect(said).toMatch(/cannot be written/);
		expect(said).not.toMatch(/^\s+at /m);
	} finally {
		await rm(siteFolder(env.DATABASE_URL), { recursive: true, force: true });
	}
}, 120_000);
