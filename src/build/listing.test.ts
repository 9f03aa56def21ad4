import { expect, test } from 'vitest';
import { Listing, type SiteFile } from './listing.ts';

const file = (hash: string): SiteFile => ({ hash, size: 1, modified: 0 });
const many = Array.from({ length: 5000 }, (_, n): [string, SiteFile] => [
	`/blog/${n}`,
	file(`${n}`),
]);

/** A store of parts in memory. */
function setup() {
	const stored = new Map<string, string>();
	const read: string[] = [];
	return {
		stored,
		read,
		store: async (text: string) => {
			const digest = `part ${stored.size}`;
			stored.set(digest, text);
			return digest;
		},
		readPart: async (digest: string) => {
			read.push(digest);
			return stored.get(digest)!;
		},
	};
}

test('a listing is read as it was stored', async () => {
	const { store, readPart } = setup();
	const parts = await Listing.of(many).store(store);
	expect(parts.length).toBe(64);
	const listing = await Listing.read(parts, readPart);
	expect(listing.get('/blog/4711')).toEqual(file('4711'));
	expect(listing.get('/blog/5000')).toBeUndefined();
	expect(new Map(listing)).toEqual(new Map(many));
});

test('a change touches one part, and no other is stored or read again', async () => {
	const { store, stored, read, readPart } = setup();
	const first = Listing.of(many);
	const before = await first.store(store);
	const second = first.with(new Map([['/blog/7', file('new')]]));
	const after = await second.store(store);
	expect(stored.size).toBe(65);
	expect(after.filter((part) => !before.includes(part))).toHaveLength(1);
	const opened = await Listing.read(after, readPart, first);
	expect(read).toHaveLength(1);
	expect(opened.get('/blog/7')).toEqual(file('new'));
	expect(new Map(opened)).toEqual(new Map(many).set('/blog/7', file('new')));
});

test('a file that goes touches one part as well', async () => {
	const { store, stored } = setup();
	const first = Listing.of(many);
	await first.store(store);
	const second = first.with(new Map(), ['/blog/4999', '/never-there']);
	await second.store(store);
	expect(stored.size).toBe(65);
	expect(second.get('/blog/4999')).toBeUndefined();
	expect([...second].sort()).toEqual([...Listing.of(many.slice(0, -1))].sort());
});

test('a site without files has a listing', async () => {
	const { store, readPart } = setup();
	const parts = await Listing.of([]).store(store);
	const listing = await Listing.read(parts, readPart);
	expect([listing.get('/'), [...listing]]).toEqual([undefined, []]);
});

test('a listing with some other files is as one made of all', () => {
	const first = Listing.of(many);
	const some = new Map([
		...many.slice(0, 3).map(([path]) => [path, file('new')] as const),
		['/new', file('0')] as const,
	]);
	const all = Listing.of([...new Map([...many, ...some])]);
	const next = first.with(some);
	expect([...next].sort()).toEqual([...all].sort());
	expect([[...next].length, [...first].length]).toEqual([5001, 5000]);
	expect(first.get('/blog/0')).toEqual(file('0'));
	// So many that there are more parts.
	const more = new Map(
		Array.from({ length: 5000 }, (_, n) => [`/tag/${n}`, file(`${n}`)] as const),
	);
	expect([...first.with(more)]).toEqual([...Listing.of([...many, ...more])]);
	expect([...Listing.of([]).with(new Map(many))]).toEqual([...first]);
});

test('a listing with the same files stores no part again', async () => {
	const { store, stored } = setup();
	const first = Listing.of(many);
	await first.store(store);
	await first.with(new Map(many.slice(0, 9))).store(store);
	expect(stored.size).toBe(64);
	await first.with(new Map([['/blog/7', file('new')]])).store(store);
	expect(stored.size).toBe(65);
});

test('the listing that is known is not read again', async () => {
	const { store, read, readPart } = setup();
	const first = Listing.of(many);
	const parts = await first.store(store);
	expect(await Listing.read(parts, readPart, first)).toBe(first);
	expect(await Listing.read(parts.slice(1), readPart, first)).not.toBe(first);
	expect(read).toEqual([]);
});
