import { callAsAdmin } from '#src/core/session/session.store.ts';
import { articleLetter } from '#src/features/newsletter/article-letter.ts';
import { createLetter, placeInIssue } from '#src/features/newsletter/letters.api.ts';
import { placeOnNetworks } from '#src/features/networks/networks.api.ts';
import type { LetterView } from '#src/features/newsletter/letters.ts';
import type { EditedPost } from '#src/features/posts/editing.api.ts';
import { sendTime, type Telling } from './mailing.ts';

/** Sends an article as a letter, or says whether it is in the issue, and keeps it from networks. Returns its letter, or null where it has none. */
export async function mailArticle(
	post: EditedPost,
	{ mailing, posts }: Telling,
): Promise<LetterView | null> {
	const { id, form, path, publishedAt } = post;
	if (!posts) await callAsAdmin(placeOnNetworks, { id, isIn: false });
	if (mailing.how !== 'letter') {
		await callAsAdmin(placeInIssue, { id, isIn: mailing.how === 'issue' });
		return null;
	}
	const letter = await callAsAdmin(createLetter, {
		...articleLetter(form, new URL(path, location.origin).href),
		id: mailing.id,
		sendAt: sendTime(mailing, publishedAt ?? '', new Date()),
		// Another letter within a day was told beside the choice.
		confirm: true,
	});
	// Nobody gets it twice.
	await callAsAdmin(placeInIssue, { id, isIn: false });
	return letter;
}
