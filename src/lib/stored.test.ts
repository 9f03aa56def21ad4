// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { $isStorageRefused, storedList, storedMap } from './stored.ts';

const entry = z.looseObject({ id: z.string() });
let made = 0;
/** A key that no earlier store has read. */
const newKey = () => `list-${++made}`;

beforeEach(() => {
	localStorage.clear();
	$isStorageRefused.set(false);
});
afterEach(() => {
	vi.restoreAllMocks();
});

test('what is set is kept as JSON, and read again', () => {
	const key = newKey();
	storedList(key, entry).set([{ id: 'a', more: 1 }]);
	expect(localStorage.getItem(key)).toBe('[{"id":"a","more":1}]');
	expect(storedList(key, entry).get()).toEqual([{ id: 'a', more: 1 }]);
});

test.each([
	['', []],
	['not JSON', []],
	['null', []],
	['{"id":"a"}', []],
	['"text"', []],
	['[{"id":"a"},null,{"id":3},7,{"id":"b"}]', [{ id: 'a' }, { id: 'b' }]],
])('of the stored text %s the list has what is right in it', (text, list) => {
	const key = newKey();
	localStorage.setItem(key, text);
	const store = storedList(key, entry);
	expect(store.get()).toEqual(list);
	// Reading changes nothing.
	expect(localStorage.getItem(key)).toBe(text);
});

test.each([
	['not JSON', {}],
	['[1,2]', {}],
	['null', {}],
	['{"a":1,"b":"x","c":2}', { a: 1, c: 2 }],
])('of the stored text %s the map has what is right in it', (text, map) => {
	const key = newKey();
	localStorage.setItem(key, text);
	expect(storedMap(key, z.number()).get()).toEqual(map);
});

test('what a full storage refuses lasts as long as the page, and is told', () => {
	const key = newKey();
	const store = storedList(key, entry);
	store.set([{ id: 'a' }]);
	expect($isStorageRefused.get()).toBe(false);
	vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
		throw new DOMException('full', 'QuotaExceededError');
	});
	store.set([{ id: 'b' }, { id: 'a' }]);
	expect(store.get()).toEqual([{ id: 'b' }, { id: 'a' }]);
	expect($isStorageRefused.get()).toBe(true);
	expect(localStorage.getItem(key)).toBe('[{"id":"a"}]');
});

test('a storage that is switched off throws nothing at anybody', () => {
	for (const method of ['getItem', 'setItem', 'removeItem'] as const) {
		vi.spyOn(Storage.prototype, method).mockImplementation(() => {
			throw new DOMException('off', 'SecurityError');
		});
	}
	const store = storedList(newKey(), entry);
	expect(store.get()).toEqual([]);
	store.set([{ id: 'a' }]);
	expect(store.get()).toEqual([{ id: 'a' }]);
});

test('what another tab sets is there at once, and its rubbish is not', () => {
	const key = newKey();
	const store = storedList(key, entry);
	const seen: unknown[] = [];
	const stop = store.subscribe((value) => seen.push(value));
	const tell = (newValue: string | null) => {
		if (newValue === null) localStorage.removeItem(key);
		else localStorage.setItem(key, newValue);
		dispatchEvent(new StorageEvent('storage', { key, newValue }));
	};
	tell('[{"id":"other"}]');
	tell('[{"id":"other"},{"nothing":1}]');
	tell('broken');
	tell(null);
	stop();
	expect(seen).toEqual([[], [{ id: 'other' }], [{ id: 'other' }], [], []]);
});

test('an island starts with what was prerendered, and has what is stored a moment later', () => {
	const key = newKey();
	localStorage.setItem(key, '[{"id":"a"}]');
	const store = storedList(key, entry);
	expect(store.init).toEqual([]);
	expect(store.get()).toEqual([{ id: 'a' }]);
});
