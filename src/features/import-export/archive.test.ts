import { strToU8, zipSync, type Zippable } from 'fflate';
import { expect, test } from 'vitest';
import { ARCHIVE_LIMITS, isPathInside, openArchive, textOf } from './archive.ts';

const zip = (files: Zippable) => zipSync(files);
const open = async (bytes: Uint8Array, limits: Partial<typeof ARCHIVE_LIMITS> = {}) =>
	openArchive(bytes, undefined, { ...ARCHIVE_LIMITS, ...limits });

test('an archive is its files, without what systems put beside them', async () => {
	const files = await open(
		zip({
			'a.md': strToU8('\uFEFFWords'),
			'deep/b.md': strToU8('More'),
			'__MACOSX/a.md': strToU8('x'),
			'.DS_Store': strToU8('x'),
			'deep/.git/config': strToU8('x'),
		}),
	);
	expect([...files.keys()]).toEqual(['a.md', 'deep/b.md']);
	expect(textOf(files.get('a.md')!)).toBe('Words');
});

test.each(['a.md', 'a/b/c.md', 'a..b/c', '..a'])('%s lies inside', (path) => {
	expect(isPathInside(path)).toBe(true);
});

test.each([
	'../a',
	'a/../../b',
	'/etc/passwd',
	'C:/a',
	'c:\\a',
	'\\\\host\\a',
	'a\\..\\b',
	'a\0b',
	'',
])('%j lies outside', (path) => {
	expect(isPathInside(path)).toBe(false);
});

test('an archive with one file outside is refused as a whole', async () => {
	const bytes = zip({ 'a.md': strToU8('Words'), '../../evil.md': strToU8('x') });
	await expect(open(bytes)).rejects.toMatchObject({
		code: 'validation',
		message: 'This archive has a file that would lie outside of it: "../../evil.md".',
	});
});

test('a file that is packed too densely is refused before it is unpacked', async () => {
	const bytes = zip({ 'bomb.md': new Uint8Array(30 * 1024 * 1024) });
	expect(bytes.length).toBeLessThan(60_000);
	await expect(open(bytes)).rejects.toMatchObject({ message: /packed too densely/ });
});

test('each limit holds on both sides of its number', async () => {
	const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));
	const two = zip({ a: random(600), b: random(400) });
	expect((await open(two, { entries: 2, file: 600, unpacked: 1000 })).size).toBe(2);
	await expect(open(two, { entries: 1 })).rejects.toMatchObject({ message: /more than 1 files/ });
	await expect(open(two, { file: 599 })).rejects.toMatchObject({ message: /larger than 599 B: a/ });
	await expect(open(two, { unpacked: 999 })).rejects.toMatchObject({ message: /unpacked/ });
	expect((await open(two, { packed: two.length })).size).toBe(2);
	await expect(open(two, { packed: two.length - 1 })).rejects.toMatchObject({
		code: 'validation',
	});
});

test('an archive that lies about its sizes fills no memory', async () => {
	const bytes = zip({ 'a.md': new Uint8Array(20 * 1024 * 1024) });
	// The size in the archive's directory, where readers look for it.
	const view = new DataView(bytes.buffer);
	for (let at = bytes.length - 22; at >= 0; at--) {
		if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 100, true);
	}
	const files = await open(bytes).catch(() => new Map<string, Uint8Array>());
	expect(files.get('a.md')?.length ?? 0).toBeLessThanOrEqual(100);
});

test('what is no archive, or a broken one, is refused in words', async () => {
	const whole = zip({ 'a.md': strToU8('Words'.repeat(100)) });
	for (const bytes of [strToU8('PK no archive'), whole.subarray(0, whole.length - 30)]) {
		await expect(open(bytes)).rejects.toMatchObject({ code: 'validation', message: /cut off/ });
	}
	const broken = whole.with(40, whole[40]! ^ 0xff);
	await expect(open(broken)).rejects.toMatchObject({ code: 'validation', message: /is broken/ });
});

test('nothing is unpacked of an archive whose last file is refused, and each file is told', async () => {
	const files = { 'a.md': strToU8('Words'), 'b.md': strToU8('More') };
	const told: number[][] = [];
	const tell = (done: number, total: number) => void told.push([done, total]);
	openArchive(zip(files), tell);
	expect(told.splice(0)).toEqual([
		[1, 2],
		[2, 2],
	]);
	expect(() => openArchive(zip({ ...files, '../c.md': strToU8('x') }), tell)).toThrow('outside');
	expect(told).toEqual([]);
});
