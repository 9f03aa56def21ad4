import { AppError, knownReason } from './errors.ts';

/** One field of a public form, described once for the island and for the page that a refused plain form post gets. */
export type Field = {
	name: string;
	label: string;
	/** A sentence below it. */
	hint?: string;
	type: 'text' | 'email' | 'textarea' | 'select' | 'hidden';
	maxLength?: number;
	required?: boolean;
	autoComplete?: string;
	options?: readonly (string | { value: string; label: string })[];
};

/** A public form. It posts to its endpoint; a plain form post ends at `thanks`. */
export type FormSpec = {
	title: string;
	submit: string;
	/** Path of the prebuilt page after a plain form post. */
	thanks: string;
	fields: readonly Field[];
};

/** The sender's name, as in every form. */
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
/** Returns the message beside a required field that is empty. */
export const missingText = (field: string) => `${FILL_IN}${field}`;

/**
 * Returns the toast of a form with an empty required field (product.md section 5), or undefined for another
 * error.
 */
export function missingToast(error: unknown): { title: string; description: string } | undefined {
	const messages = error instanceof AppError ? Object.values(error.fields ?? {}) : [];
	return messages.some((message) => message.startsWith(FILL_IN))
		? { title: 'Missing information', description: missingText('all fields') }
		: undefined;
}

export const MISSING_EMAIL = 'Please enter your email address.';

/** Makes the toast of a failed form: `reasonOf` the failure, or this text (product.md section 8). */
export function failureWith(title: string, fallback: string, reasonOf = knownReason) {
	return (error: unknown) => {
		const description = reasonOf(error) ?? fallback;
		return { title: description === MISSING_EMAIL ? 'Email required' : title, description };
	};
}

/** The answer to a form with an address. `unconfirmed`: nothing begins before its owner has confirmed it by email. */
export type Sent = { success: true; message: string; unconfirmed?: true };

/** Returns the toast of a form that was sent: this one, or what its sender has to do first. */
export const sentToast = ({ unconfirmed, message }: Sent, usual: Notice) =>
	unconfirmed ? { title: 'One more step', description: message } : usual;
type Notice = { title: string; description: string };

/** A field that people never see: only a robot fills it in. */
export const HONEYPOT = 'website';
/** How long the form was open, in milliseconds by the visitor's clock. Sent by scripts only. */
export const ELAPSED = 'elapsedMs';
/** Forms that are filled in faster than this come from robots: they have to wait, or to be sent again. */
export const MIN_FILL_MS = 2000;

type ClockFields = { elapsedMs?: unknown; startedAt?: unknown };

/**
 * Returns how much longer a form must be open before it may be sent, in milliseconds; 0 if it does not say when
 * it was opened. Uses the elapsed time that the form measured, or else the time at which it says it was opened.
 */
export function remainingWaitMs({ elapsedMs, startedAt }: ClockFields, now: Date): number {
	const elapsed =
		toFiniteNumber(elapsedMs) ?? now.getTime() - (toFiniteNumber(startedAt) ?? -Infinity);
	// A start in the future is a visitor's fast clock, which proves nothing.
	return elapsed >= 0 ? Math.max(0, MIN_FILL_MS - elapsed) : 0;
}

function toFiniteNumber(value: unknown): number | undefined {
	const isBlank = typeof value === 'string' && value.trim() === '';
	const number = isBlank ? NaN : Number(value ?? NaN);
	return Number.isFinite(number) ? number : undefined;
}
