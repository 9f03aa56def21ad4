import { atom } from 'nanostores';
import type { Place } from './parts.ts';

/** Loads what a search for a setting finds: settings, and screens. The shell knows them. */
export const $places = atom<
	() => Promise<{ settings: readonly Place[]; screens: readonly Place[] }>
>(async () => ({ settings: [], screens: [] }));
