import { atom } from 'nanostores';
import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { describeMedia, showMedia } from '#src/features/media/media.api.ts';
import { mediaId } from '#src/features/media/media.ts';
import { messageOf } from '#src/lib/errors.ts';

/** How often an image was described beside a post: what looks for descriptions looks again. */
export const $described = atom(0);

/** Keeps what an article says of an image as its description in Media, where it has none yet. */
export async function describeOnce(src: string, alt: string): Promise<void> {
	const id = mediaId(src);
	if (!id || !alt.trim()) return;
	try {
		const { alt: stored } = await callAsAdmin(showMedia, { id });
		if (stored) return;
		await callAsAdmin(describeMedia, { id, alt });
		$described.set($described.get() + 1);
	} catch (error) {
		const title = 'The description is not in Media yet';
		toast({ title, description: messageOf(error), destructive: true });
	}
}
