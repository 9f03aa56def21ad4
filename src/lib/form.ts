/** One field of a public form, described once for the island and for the page that a plain form post gets back. */
export type Field = {
	name: string;
	label: string;
	type: 'text' | 'email' | 'textarea' | 'select' | 'hidden';
	maxLength?: number;
	required?: boolean;
	autoComplete?: string;
	options?: readonly (string | { value: string; label: string })[];
};

/** A public form: where it posts to is its endpoint; where a plain post ends is `thanks`. */
export type FormSpec = {
	title: string;
	submit: string;
	/** Path of the prebuilt page that a plain form post is sent to. */
	thanks: string;
	fields: readonly Field[];
};

/** Who sends a form, as every form asks it. */
export const nameField: Field = {
	name: 'name',
	label: 'Name',
	type: 'text',
	maxLength: 100,
	required: true,
	autoComplete: 'name',
};
export const emailField: Field = {
	name: 'email',
	label: 'Email',
	type: 'email',
	maxLength: 255,
	required: true,
	autoComplete: 'email',
};

/** A field that people never see: whoever fills it in is a robot. */
export const HONEYPOT = 'website';
/** For how long the form was open, in milliseconds by the visitor's own clock: only sent by scripts. */
export const ELAPSED = 'elapsedMs';
/** Filling in a form faster than this is what robots do. */
export const MIN_FILL_MS = 2000;

type RobotFields = { website?: string | undefined; elapsedMs?: unknown; startedAt?: unknown };

/**
 * Whether a public form was filled in by a robot (decisions, "Newsletter, mail, course, downloads"). How long it took is
 * judged by what the form measured, or else from the time at which it says it was opened.
 */
export function isRobot({ website, elapsedMs, startedAt }: RobotFields, now: Date): boolean {
	if (website) return true;
	const elapsed = given(elapsedMs) ?? now.getTime() - (given(startedAt) ?? -Infinity);
	// A start that lies ahead is a visitor's fast clock, which proves nothing.
	return elapsed >= 0 && elapsed < MIN_FILL_MS;
}

function given(value: unknown): number | undefined {
	const number = value === '' || value === null ? NaN : Number(value);
	return Number.isFinite(number) ? number : undefined;
}
