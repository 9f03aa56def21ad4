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
/** When the form was opened, in milliseconds: only sent by scripts. */
export const STARTED_AT = 'startedAt';
/** Filling in a form faster than this is what robots do. */
export const MIN_FILL_MS = 2000;

/** Whether a public form was filled in by a robot (decisions, "Newsletter, mail, course, downloads"). */
export function isRobot(
	input: { website?: string | undefined; startedAt?: unknown },
	now: Date,
): boolean {
	if (input.website) return true;
	const startedAt = Number(input.startedAt);
	if (!input.startedAt || !Number.isFinite(startedAt)) return false;
	const elapsed = now.getTime() - startedAt;
	// A start that lies ahead is a visitor's fast clock, which proves nothing.
	return elapsed >= 0 && elapsed < MIN_FILL_MS;
}
