import type { Context } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { askFirst } from '#src/features/confirmation/confirmation.server.ts';
import { UNCONFIRMED, type Wish } from '#src/features/confirmation/confirmation.ts';
import { paths } from '#src/site.ts';
import { deliverNow } from './deliver.ts';
import { ResponseWith } from './response.ts';
import { pageOf } from './visitor.ts';

/** Asks an address by email, where the site does so first. Returns the answer to the form then, or null. */
export async function answerAsked(
	request: Request,
	context: Context,
	wish: Wish,
	{ email, ...details }: { email: string } & Record<string, unknown>,
	now: Date,
): Promise<ResponseWith<typeof UNCONFIRMED> | null> {
	const page = pageOf(request);
	if (!(await askFirst(getDb(), { wish, email, details, page }, now))) return null;
	context.waitUntil(deliverNow());
	return new ResponseWith(UNCONFIRMED, {}, [], paths.thanks('confirm'));
}
