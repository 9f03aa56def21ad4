import { toast } from '#src/components/ui/toast.store.ts';
import { isKept } from '#src/features/offline/offline.store.ts';
import type { PostRef } from '#src/features/posts/post.ts';
import { $isStorageRefused } from '#src/lib/stored.ts';
import { paths } from '#src/site.ts';
import { $savedPosts, toggleSave } from './reader.store.ts';

/** Saves an article or removes it, and tells the reader which. */
export async function saveOrRemove(post: PostRef): Promise<void> {
	const kept = isKept(post);
	if (!toggleSave(post)) toast({ title: 'Removed from Saved' });
	else if ($isStorageRefused.get())
		toast({
			title: 'Saved until you close this page',
			description:
				"Your browser can't store more data for this site: its storage is full or switched off.",
		});
	else {
		// Without it the list shows the title.
		void import('./rows.store.ts').then(({ keepRows }) => keepRows([post.slug])).catch(() => {});
		const isKeptHere = await kept;
		// It may have been taken away meanwhile.
		if ($savedPosts.get().some(({ id }) => id === post.id))
			toast({
				title: 'Article saved',
				...(isKeptHere && { description: 'It can be read there, also without a connection.' }),
				link: { label: 'Saved articles', href: paths.saved },
			});
	}
}
