import * as z from 'zod/mini';
import { email, robotFields } from '#src/lib/email.ts';
import { splitName, type Signup } from './subscriber.ts';

const label = () => z.optional(z.string().check(z.trim(), z.maxLength(100)));

/** The mail-list payload (specification section 3). A plain form sends its fields flat, as `fields[company]`. */
export const mailListInput = z.pipe(
	z.transform((value) => {
		const input: Record<string, unknown> = { ...(value as object) };
		const flat = Object.entries(input).flatMap(([name, one]) => {
			const [, inner] = /^fields\[(\w+)\]$/.exec(name) ?? [];
			return inner ? [[inner, one]] : [];
		});
		return flat.length > 0 ? { ...input, fields: Object.fromEntries(flat) as object } : input;
	}),
	z.object({
		email: email(),
		fields: z.optional(z.object({ name: label(), last_name: label(), company: label() })),
		source: label(),
		// What a client may say and we decide: nobody joins in another state or another group.
		status: z.optional(z.string()),
		groups: z.optional(z.array(z.string())),
		...robotFields,
	}),
);
export type MailListInput = z.infer<typeof mailListInput>;

/** The specification's mail-list payload of a signup. A browser names no group: the server knows which one it is. */
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

/** A mail-list payload as a signup. A name in one field is a full name. */
export function signupOf({ email, fields = {}, source }: MailListInput): Signup {
	const { name = '', last_name, company } = fields;
	const names = last_name === undefined ? splitName(name) : { name, lastName: last_name };
	return { email, source: company ?? source, ...names };
}
