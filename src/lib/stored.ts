import {
	persistentAtom,
	setPersistentEngine,
	windowPersistentEvents,
} from '@nanostores/persistent';
import { atom, keepMount, type WritableAtom } from 'nanostores';
import type { Schema } from './endpoint.ts';

/** Whether the browser refused to store something, because its storage is full or switched off. */
export const $isStorageRefused = atom(false);

/** Refused entries, kept until the page is left. */
const unsaved = new Map<string, string>();

function read(key: string): string | undefined {
	try {
		return unsaved.get(key) ?? localStorage.getItem(key) ?? undefined;
	} catch {
		return undefined;
	}
}

function write(key: string, value: string): void {
	try {
		localStorage.setItem(key, value);
		unsaved.delete(key);
	} catch {
		unsaved.set(key, value);
		$isStorageRefused.set(true);
	}
}

function remove(key: string): void {
	unsaved.delete(key);
	try {
		localStorage.removeItem(key);
	} catch {
		$isStorageRefused.set(true);
	}
}

if (typeof window !== 'undefined') {
	const storage = new Proxy<Record<string, string>>(
		{},
		{
			has: (_, key) => read(String(key)) !== undefined,
			get: (_, key) => read(String(key)),
			set: (_, key, value: string) => (write(String(key), value), true),
			deleteProperty: (_, key) => (remove(String(key)), true),
		},
	);
	setPersistentEngine(storage, windowPersistentEvents);
}

/**
 * Returns a list in local storage, the same in all tabs. Never throws: entries that do not match the schema are
 * skipped, and what cannot be stored lasts as long as the page.
 */
export function storedList<T>(key: string, entry: Schema<T>): WritableAtom<readonly T[]> {
	return createStore<readonly T[]>(key, [], (value) =>
		Array.isArray(value) ? value.flatMap((entryValue) => parseEntry(entryValue, entry)) : [],
	);
}

/** Returns a map in local storage, with the guarantees of `storedList`. */
export function storedMap<T>(
	key: string,
	entry: Schema<T>,
): WritableAtom<Readonly<Record<string, T>>> {
	return createStore<Readonly<Record<string, T>>>(key, {}, (value) => {
		if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
		return Object.fromEntries(
			Object.entries(value).flatMap(([name, entryValue]) =>
				parseEntry(entryValue, entry).map((right) => [name, right]),
			),
		);
	});
}

function createStore<Value>(key: string, empty: Value, read: (value: unknown) => Value) {
	const store = persistentAtom<Value>(key, empty, {
		encode: JSON.stringify,
		decode: (text) => read(parseJson(text)),
	});
	// Listen to other tabs even without subscribers.
	if (typeof window !== 'undefined') keepMount(store);
	// Prerendered HTML had no storage, so an island is hydrated with this first.
	return Object.assign(store, { init: empty });
}

function parseEntry<T>(value: unknown, schema: Schema<T>): T[] {
	const result = schema.safeParse(value);
	return result.success ? [result.data] : [];
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
