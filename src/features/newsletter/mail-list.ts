import * as z from 'zod/mini';
import { email, antiBotFields } from '#src/lib/email.ts';
import { label, splitName, type Signup } from './subscriber.ts';

const fields = { name: label(), last_name: label(), company: label() };

/** The mail-list payload (product.md section 3). A plain form sends its fields flat, as `fields[company]`. */
export const mailListInput = z.pipe(
	z.transform((value) => {
		const input = Object(value) as Record<string, unknown>;
		const flat = Object.keys(fields)
			.filter((name) => `fields[${name}]` in input)
			.map((name) => [name, input[`fields[${name}]`]]);
		return flat.length > 0 ? { ...input, fields: Object.fromEntries(flat) as object } : input;
	}),
	z.object({
		email: email(),
		fields: z.optional(z.object(fields)),
		source: label(),
		// A client's `status` and `groups` are not read: nobody joins in another state or another group.
		...antiBotFields,
	}),
);
export type MailListInput = z.infer<typeof mailListInput>;

/** The mail-list payload of a signup (product.md section 3). A browser names no group: the server knows which one it is. */
export function mailListPayload(
	{ email, source, name = '', lastName = '' }: Signup,
	group?: string,
	active = true,
) {
	return {
		email,
		fields: { name, last_name: lastName, company: source ?? '' },
		status: active ? 'active' : 'unsubscribed',
		groups: group ? [group] : [],
	};
}

/** A mailing-list payload as a signup. A name in one field is a full name. */
export function toSignup({ email, fields = {}, source }: MailListInput): Signup {
	const { name = '', last_name, company } = fields;
	const names = last_name === undefined ? splitName(name) : { name, lastName: last_name };
	return { email, source: company ?? source, ...names };
}
