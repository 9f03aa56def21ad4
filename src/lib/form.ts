import { AppError } from './errors.ts';

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
	maxLength: 254,
	required: true,
	autoComplete: 'email',
};

const FILL_IN = 'Please fill in ';
/** Said beside a field that must be filled in: which one it is. */
export const missingText = (field: string) => `${FILL_IN}${field}`;

/** The toast of a form with a field that is empty (specification section 5); none for another refusal. */
export function missingToast(error: unknown): { title: string; description: string } | undefined {
	const messages = error instanceof AppError ? Object.values(error.fields ?? {}) : [];
	return messages.some((message) => message.startsWith(FILL_IN))
		? { title: 'Missing information', description: missingText('all fields') }
		: undefined;
}

/** A field that people never see: whoever fills it in is a robot. */
export const HONEYPOT = 'website';
/** For how long the form was open, in milliseconds by the visitor's own clock: only sent by scripts. */
export const ELAPSED = 'elapsedMs';
/** Filling in a form faster than this is what robots do: whoever does waits, or is asked again. */
export const MIN_FILL_MS = 2000;

type ClockFields = { elapsedMs?: unknown; startedAt?: unknown };

/**
 * How much longer a form must be open before it may be sent, in milliseconds: 0 for one that does not say since when it
 * is. That is judged by what the form measured, or else from the time at which it says it was opened.
 */
export function remainingWaitMs({ elapsedMs, startedAt }: ClockFields, now: Date): number {
	const elapsed =
		toFiniteNumber(elapsedMs) ?? now.getTime() - (toFiniteNumber(startedAt) ?? -Infinity);
	// A start that lies ahead is a visitor's fast clock, which proves nothing.
	return elapsed >= 0 ? Math.max(0, MIN_FILL_MS - elapsed) : 0;
}

function toFiniteNumber(value: unknown): number | undefined {
	const isBlank = typeof value === 'string' && value.trim() === '';
	const number = isBlank ? NaN : Number(value ?? NaN);
	return Number.isFinite(number) ? number : undefined;
}
