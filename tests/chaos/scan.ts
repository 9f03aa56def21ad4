/**
 * `npm run scan -- [--minutes 25] [--only TEXT]`: Schemathesis with all its checks at the public API, as its OpenAPI document
 * describes it; sqlmap and Wapiti at every call that takes something, the admin's with a session. Those that this machine has, against
 * the real server with a database of its own. Requests of the latter two are made from the declarations of the endpoints, of which
 * the document is made, too. Prints what was reached, and ends with an error where something was found.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { siteFolder } from '#src/build/builds.ts';
import { MINUTE, SECOND } from '#src/lib/dates.ts';
import { startMailSink } from '#tests/bench/sink.ts';
import { printTable } from '#tests/bench/table.ts';
import { targetsOf } from '#tests/fuzz/fuzz.ts';
import type { JsonSchema, Target } from '#tests/fuzz/inputs.ts';
import { startHost, type Host } from '#tests/support/host.ts';

const MODULES = 'backup,blindsql,crlf,exec,file,methods,permanentxss,redirect,shellshock,sql,xss';
/** Statuses at which sqlmap would stop by itself: most of what it sends is refused. */
const REFUSALS = '400,401,403,404,405,409,410,413,415,422,429,500,503';
/** Values of fields that take few. */
const NAMED: Record<string, string> = {
	days: '30',
	focus: '50% 50%',
	slug: 'training-models',
	sort: 'created',
	type: 'image/png',
};
/** Longest that sqlmap may take for one call. */
const CALL_MS = 2 * MINUTE;
const LIMITS_MS = 90 * SECOND;
/** Each request comes from another network, so that limits refuse few of them. */
const HOOKS = `import random, schemathesis
@schemathesis.hook
def before_call(context, case, kwargs):
    network = "203.%d.%d.1" % (random.randrange(256), random.randrange(256))
    case.headers = {**(case.headers or {}), "X-Forwarded-For": network}
`;

const { values } = parseArgs({
	options: { minutes: { type: 'string', default: '25' }, only: { type: 'string', default: '' } },
});
const has = (program: string) => spawnSync(program, ['--version']).status === 0;
const TOOLS = ['schemathesis', 'sqlmap', 'wapiti'].filter(has);
if (TOOLS.length < 3)
	console.log(
		`Of three tools this machine has ${TOOLS.join(' and ') || 'none'}: pip install schemathesis, apt-get install sqlmap wapiti.`,
	);
if (TOOLS.length === 0) process.exit(1);

type Call = Target & { address: string; body: Record<string, unknown> | undefined; plain: number };

const folder = await mkdtemp(join(tmpdir(), 'groundtruth-scan-'));
const url = `file:${join(folder, 'site.db')}`;
// Each request says that it comes from another network, so that limits refuse few of them.
// Where mail goes nowhere, a link for a new password is refused before anything is looked at.
const mail = await startMailSink();
const host = await startHost({
	DATABASE_URL: url,
	TRUST_PROXY: 'on',
	SMTP_URL: mail.url,
	MAIL_FROM: 'Groundtruth <news@example.com>',
});
/** When the time that was given is over; the server has what it takes to start. */
const end = Date.now() + Number(values.minutes) * MINUTE;
const found: string[] = [];
try {
	const targets = (await targetsOf()).filter(({ path }) => path.includes(values.only));
	const calls: Call[] = [];
	for (const target of targets) calls.push(await callOf(host, target));
	const taking = calls.filter(({ address, body }) =>
		(address + JSON.stringify(body)).includes('*'),
	);
	const rows: string[][] = [];
	if (TOOLS.includes('schemathesis')) rows.push(await withSchemathesis(host));
	if (TOOLS.includes('sqlmap')) rows.push(await withSqlmap(host, taking));
	if (TOOLS.includes('wapiti')) rows.push(await withWapiti(host, calls));
	printTable(
		['what', 'calls', 'not in time', 'requests', '2xx, 3xx', '401', '429', 'other 4xx', '5xx'],
		rows,
	);
	const fitting = taking.filter(({ plain }) => plain < 400).length;
	console.log(
		`\n${calls.length} calls, of which ${taking.length} take something; ${fitting} of these answered a plain request with what was asked for. Load ${loadavg()[0]!.toFixed(1)}.`,
	);
} finally {
	await host.stop();
	mail.stop();
	await rm(folder, { recursive: true, force: true });
	await rm(siteFolder(url), { recursive: true, force: true });
}
console.log(found.length === 0 ? 'Nothing was found.' : found.join('\n'));
process.exitCode = found.length > 0 ? 1 : 0;

/** Returns a request that the schema takes, with a star after each value, and what it is answered without stars. */
async function callOf(site: Host, target: Target): Promise<Call> {
	const { method, path, schema } = target;
	let address = path;
	const rest = { ...schema?.properties };
	for (const [name] of path.matchAll(/(?<=:)\w+/g)) {
		delete rest[name];
		address = address.replace(`:${name}`, `${await someId(site, path.split(`/:${name}`)[0]!)}*`);
	}
	const fields = sampleOf({ type: 'object', properties: rest }, '') as Record<string, unknown>;
	const isQuery = method === 'GET';
	if (isQuery && Object.keys(fields).length > 0) {
		const pairs = Object.entries(fields).map(
			([name, value]) => `${name}=${encodeURIComponent(String(value).replace(/\*$/, ''))}*`,
		);
		address += `?${pairs.join('&')}`;
	}
	const body = isQuery ? undefined : fields;
	const bare = body && (JSON.parse(JSON.stringify(body).replaceAll('*', '')) as object);
	const answer = await site.asAdmin(method, address.replaceAll('*', ''), bare);
	await answer.body?.cancel();
	return { ...target, address, body, plain: answer.status };
}

/** Returns the id or slug of something that a list has, or one that nothing has. */
async function someId(site: Host, list: string): Promise<string> {
	const response = await site.asAdmin('GET', list);
	const answer = response.ok ? await response.text() : '';
	const [, id] =
		new RegExp(`"${list.includes('admin') ? 'id' : 'slug'}":"([\\w-]+)"`).exec(answer) ?? [];
	return id ?? 'texas';
}

/** Returns a value that a schema takes, with a star after each text. */
function sampleOf(schema: JsonSchema, name: string): unknown {
	if (schema.enum) return `${String(schema.enum[0])}*`;
	if (schema.const !== undefined) return schema.const;
	if (schema.anyOf) return sampleOf(schema.anyOf[0]!, name);
	const [type = 'string'] = [schema.type ?? 'string'].flat();
	if (type === 'null') return null;
	if (type === 'boolean') return true;
	if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
	if (type === 'array') return [sampleOf(schema.items ?? {}, name)];
	if (type === 'object') {
		const entries = Object.entries(schema.properties ?? {});
		return Object.fromEntries(entries.map(([key, one]) => [key, sampleOf(one, key)]));
	}
	if (schema.format === 'email' || name === 'email') return 'reader@example.com*';
	if (NAMED[name]) return `${NAMED[name]}*`;
	if (schema.format === 'date-time') return '2026-01-02T03:04:05Z*';
	return `${'training models'.padEnd(schema.minLength ?? 0, 'x').slice(0, schema.maxLength ?? 40)}*`;
}

/** Runs a program in the folder of this scan to its end, or to the end of its time. Returns all that it said, and whether it ended by itself. */
async function run(program: string, args: string[], timeout: number) {
	const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], timeout });
	const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
	return { said: said + errors, isWhole: child.signalCode === null };
}

async function signIn(site: Host): Promise<string> {
	const login = await fetch(`${site.address}/api/admin/login`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.9' },
		body: JSON.stringify({ email: 'admin@example.com', password: 'Correct-Horse-7' }),
	});
	return login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function withSchemathesis(site: Host): Promise<string[]> {
	const hooks = join(folder, 'hooks.py');
	await writeFile(hooks, HOOKS);
	const { said, isWhole } = await run(
		'env',
		[
			...[`SCHEMATHESIS_HOOKS=${hooks}`, 'schemathesis', 'run', '--no-color', '--checks', 'all'],
			...['--continue-on-failure', '--max-examples', '50', '--report-dir', folder],
			`${site.address}/api/openapi.json`,
		],
		Math.max(end - Date.now(), LIMITS_MS),
	);
	const [, operations] = /Tested: (\d+)/.exec(said) ?? [];
	const [, cases] = /(\d+) generated/.exec(said) ?? [];
	if (!isWhole || !operations) found.push(`Schemathesis did not end: ${said.slice(-1500)}`);
	const [, failures] = /^=+ FAILURES =+$([^]*?)^=+ (?:WARNINGS|SUMMARY) =+$/m.exec(said) ?? [];
	if (failures) found.push(`Schemathesis: ${failures.slice(0, 6000)}`);
	return ['Schemathesis', operations ?? '?', '', cases ?? '?', '', '', '', '', ''];
}

async function withSqlmap(site: Host, calls: Call[]): Promise<string[]> {
	const statuses: number[] = [];
	let late = 0;
	for (const [index, { method, path, address, body }] of calls.entries()) {
		// Wapiti has the last fifth of the time.
		const left = Math.min(CALL_MS, end - Date.now() - Number(values.minutes) * MINUTE * 0.2);
		if (left < 5 * SECOND) {
			late += calls.length - index;
			break;
		}
		// What is sensitive takes a sign-in of the last minutes.
		const cookie = path.startsWith('/api/admin') ? [`Cookie: ${await signIn(site)}`] : [];
		const lines = [
			`${method} ${address} HTTP/1.1`,
			`Host: ${new URL(site.address).host}`,
			...cookie,
			...(body ? ['Content-Type: application/json', '', JSON.stringify(body)] : ['', '']),
		];
		const file = join(folder, 'request.txt');
		const traffic = join(folder, 'traffic.txt');
		await writeFile(file, lines.join('\r\n'));
		await writeFile(traffic, '');
		const options =
			'--ignore-stdin --batch --flush-session --technique BE --level 1 --risk 1 --threads 1';
		const more = ['--dbms', 'SQLite', '--tamper', 'xforwardedfor', '--ignore-code', REFUSALS];
		const args = ['-r', file, ...options.split(' '), ...more, '-t', traffic];
		const { said, isWhole } = await run('sqlmap', [...args, '--output-dir', folder], left);
		if (!isWhole) late++;
		if (/identified the following injection/.test(said)) {
			found.push(`${method} ${path}: ${said.slice(-3000)}`);
		}
		const answers = await readFile(traffic, 'latin1');
		const own = [...answers.matchAll(/^HTTP response \[#\d+\] \((\d+)/gm)].map(([, code]) =>
			Number(code),
		);
		statuses.push(...own);
		if (own.length === 0) found.push(`${method} ${path}: sqlmap sent nothing: ${said.slice(-600)}`);
		if (own.some((code) => code >= 500)) found.push(`${method} ${path}: an answer of 500 or more`);
		console.log(`${index + 1} of ${calls.length}: ${method} ${path}, ${own.length} requests`);
	}
	if (late > 0) found.push(`${late} calls were not tested to the end: give it more --minutes.`);
	return ['sqlmap', String(calls.length), String(late), ...countsOf(statuses)];
}

function countsOf(statuses: number[]): string[] {
	const count = (test: (code: number) => boolean) => String(statuses.filter(test).length);
	return [
		String(statuses.length),
		count((code) => code < 400),
		count((code) => code === 401),
		count((code) => code === 429),
		count((code) => code >= 400 && code < 500 && code !== 401 && code !== 429),
		count((code) => code >= 500),
	];
}

/** Wapiti reads no bodies of JSON: it gets the pages, and every address that is read. */
async function withWapiti(site: Host, calls: Call[]): Promise<string[]> {
	const read = calls.filter(({ method }) => method === 'GET');
	const starts = read.flatMap(({ address }) => ['-s', site.address + address.replaceAll('*', '')]);
	const report = join(folder, 'wapiti.json');
	const left = Math.max(end - Date.now(), LIMITS_MS);
	const seconds = (share: number) => String(Math.floor((left * share) / SECOND));
	const { said, isWhole } = await run(
		'wapiti',
		[
			...['-u', `${site.address}/`, ...starts, '--scope', 'folder', '-d', '1', '-m', MODULES],
			...[
				'-H',
				`Cookie: ${await signIn(site)}`,
				'--flush-session',
				'--no-bugreport',
				'-S',
				'normal',
			],
			...['--max-scan-time', seconds(0.2), '--max-attack-time', seconds(0.07)],
			...['--store-session', folder, '--store-config', folder, '-f', 'json', '-o', report],
		],
		left,
	);
	const { vulnerabilities, anomalies } = JSON.parse(
		await readFile(report, 'utf8').catch(() => '{}'),
	) as Record<string, Record<string, object[]>>;
	if (!vulnerabilities) found.push(`Wapiti made no report: ${said.slice(-1500)}`);
	for (const [kind, list] of Object.entries({ ...vulnerabilities, ...anomalies })) {
		if (list.length > 0) found.push(`Wapiti, ${kind}: ${JSON.stringify(list).slice(0, 1500)}`);
	}
	console.log(said.slice(-1500));
	const [, pages = '?'] = /found (\d+) URLs and forms/.exec(said) ?? [];
	return [
		`Wapiti (${pages} addresses and forms)`,
		String(read.length),
		isWhole ? '0' : '?',
		'',
		'',
		'',
		'',
		'',
		'',
	];
}
