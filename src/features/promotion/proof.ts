/**
 * Values of product.md section 9, "Social-proof box", in milliseconds. Without imports, its script is
 * inlined into the page.
 */
export const PROOF = { from: 8000, to: 25_000, minutes: 60 } as const;

const EVENTS = {
	signup: 'subscribed to the newsletter',
	download: 'downloaded the guide',
	read: 'finished an article',
	share: 'shared an article',
	like: 'liked an article',
	bookmark: 'saved an article for later',
} as const;
export const EVENT_TYPES = Object.keys(EVENTS) as (keyof typeof EVENTS)[];

const PLACES = [
	'Austin',
	'Boston',
	'Chicago',
	'Denver',
	'Pittsburgh',
	'Raleigh',
	'San Diego',
	'Seattle',
];

/** Returns how long until the next message. */
export function nextProof(random: number): number {
	return PROOF.from + random * (PROOF.to - PROOF.from);
}

/** Returns made-up activity: someone somewhere did something 1 to 60 minutes ago. */
export function proofMessage(random: () => number): { text: string; ago: string } {
	const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!;
	const minutes = 1 + Math.floor(random() * PROOF.minutes);
	return {
		text: `Someone in ${pick(PLACES)} ${EVENTS[pick(EVENT_TYPES)]}`,
		ago: minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`,
	};
}
