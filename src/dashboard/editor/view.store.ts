import { atom } from 'nanostores';
import * as z from 'zod/mini';
import { storedMap } from '#src/lib/stored.ts';
import type { WriterAction } from './writer-action.ts';

type View = 'focus' | 'preview' | 'page';

/** Whether something stands beside the text, or is folded away, on this device. */
export const $view = storedMap('desk_view', z.boolean());

/** Returns what can be done with the post that is open, for the palette. */
export const $offered = atom<() => WriterAction[]>(() => []);

/** How many words a post is to have, by its id. */
export const $wordGoals = storedMap('desk_word_goals', z.number());

/** Folds everything but the text away, or shows its page beside it; without `isOn` the other way than now. */
export function setView(name: View, isOn = !$view.get()[name]): void {
	$view.set({ ...$view.get(), [name]: isOn });
}

/** Brings back what focus mode folded away. Returns whether it had. */
export function leaveFocus(): boolean {
	const isFocused = $view.get()['focus'] === true;
	if (isFocused) setView('focus', false);
	return isFocused;
}

/** Sets how many words a post is to have; without a number there is no goal. */
export function setWordGoal(id: string, words: number | null): void {
	const { [id]: _before, ...others } = $wordGoals.get();
	$wordGoals.set(words === null ? others : { ...others, [id]: words });
}
