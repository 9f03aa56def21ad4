import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { $address, openScreen } from '#src/dashboard/kit/address.store.ts';
import { SECOND } from '#src/lib/dates.ts';
import { storedMap } from '#src/lib/stored.ts';
import { queryOf, SCREENS } from './screens.ts';

/** Whether single keys lead to screens, on this device. They do unless that was turned off. */
const $keys = storedMap('desk_keys', z.boolean());

/** After this time a first key means nothing any more. */
const PAUSE_MS = 1.5 * SECOND;
const KEYS: readonly (readonly [keys: string, what: string])[] = [
	...SCREENS.flatMap(({ key, label }) => (key ? [[`g ${key}`, label] as const] : [])),
	['?', 'This help'],
	['Ctrl K', 'Commands'],
	['j, k', 'In a list: the first row, the next one, the one before'],
	['x', 'In a list: choose the row'],
];

/** Whether the focus is on no control yet, as after a jump. */
const isNowhere = (target: Element) => target === document.body || target.id === 'main';

/** Puts the focus into the first row of the list that is shown. Returns whether there is one. */
function enterList(): boolean {
	const rows = [...document.querySelectorAll('.data-table tbody > tr, .home-row')];
	const first = rows.find((row) => row.checkVisibility())?.querySelector<HTMLElement>('a, button');
	first?.focus();
	return first !== undefined && first !== null;
}

/** Leads to a screen by G and the key of its own, and tells all keys by the question mark; not where words are typed. */
export function Jumps() {
	const [helping, setHelping] = useState(false);
	const isOff = useStore($keys)['jumps'] === false;
	useEffect(() => {
		let startedAt = -Infinity;
		function press(event: KeyboardEvent) {
			const { key, target, timeStamp } = event;
			const isTyped = (target as Element).closest?.(
				'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]',
			);
			const isFree = !isTyped && !event.isComposing && !event.defaultPrevented;
			if (!isFree || event.ctrlKey || event.metaKey || event.altKey) return;
			if (document.querySelector('dialog[open]')) return;
			const isSecond = timeStamp - startedAt < PAUSE_MS;
			startedAt = -Infinity;
			if (key === '?') setHelping(true);
			else if (isOff) return;
			else if (isSecond) {
				const screen = SCREENS.find((one) => one.key === key.toLowerCase());
				if (!screen) return;
				openScreen(screen.id, queryOf(screen.id, $address.get().queries));
				document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
			} else if (key.toLowerCase() === 'g' && !event.repeat) {
				startedAt = timeStamp;
				return;
			} else if (key.toLowerCase() !== 'j' || !isNowhere(target as Element) || !enterList()) return;
			event.preventDefault();
		}
		addEventListener('keydown', press);
		return () => removeEventListener('keydown', press);
	}, [isOff]);
	return (
		<Dialog open={helping} onClose={() => setHelping(false)} title="Keys">
			<dl className="keys">
				{KEYS.map(([keys, what]) => (
					<div key={keys}>
						<dt>
							<kbd>{keys}</kbd>
						</dt>
						<dd>{what}</dd>
					</div>
				))}
			</dl>
			<label className="check mt-4">
				<input
					type="checkbox"
					checked={!isOff}
					onChange={(event) => $keys.set({ jumps: event.currentTarget.checked })}
				/>
				G and a key lead to a screen
			</label>
		</Dialog>
	);
}
