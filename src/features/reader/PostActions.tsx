import { useStore } from '@nanostores/react';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import type { SharedPost } from '#src/features/share/share.ts';
import { ShareButton, SharePanel } from './SharePanel.tsx';
import { formatCount } from '#src/lib/text.ts';
import { likesShown } from './reader.ts';
import { $likedPosts, $postLikeCounts, $savedPosts, toggleLike } from './reader.store.ts';
import { saveOrRemove } from './save.store.ts';

type Props = SharedPost & {
	invented: boolean;
	/** How often it was shared, as of the build: with the panel of all targets instead of a button. */
	shares?: number;
};

/** Like, save and share. Until it wakes, `standIn` shows what is liked and saved, and does what is pressed. */
export const PostActions = island(Actions);

function Actions({ invented, shares, ...post }: Props) {
	const isLiked = useStore($likedPosts, { ssr: 'initial' }).some(({ id }) => id === post.id);
	const isSaved = useStore($savedPosts, { ssr: 'initial' }).some(({ id }) => id === post.id);
	const counts = useStore($postLikeCounts, { ssr: 'initial' });
	const likes = likesShown(counts[post.id] ?? 0, isLiked, invented);

	return (
		<>
			<div className="no-print flex flex-wrap gap-2">
				<button
					type="button"
					className="button button-quiet toggle js-only"
					aria-pressed={isLiked}
					onClick={() => toggleLike(post)}
					data-like=""
					suppressHydrationWarning
				>
					<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
						<path d="M12 20S4 15 4 9.2A4.2 4.2 0 0 1 12 7a4.2 4.2 0 0 1 8 2.2C20 15 12 20 12 20z" />
					</svg>
					{'Like '}
					<span
						className={`tabular-nums empty:hidden ${invented ? 'min-w-[3ch] empty:inline!' : ''}`.trim()}
						data-likes=""
						suppressHydrationWarning
					>
						{likes > 0 ? formatCount(likes) : ''}
					</span>
				</button>
				<button
					type="button"
					className="button button-quiet toggle js-only"
					aria-pressed={isSaved}
					onClick={() => void saveOrRemove(post)}
					data-save=""
					suppressHydrationWarning
				>
					<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
						<path d="M6 4h12v16l-6-4-6 4z" />
					</svg>
					Save
				</button>
				{shares === undefined && <ShareButton {...post} />}
			</div>
			{shares !== undefined && <SharePanel {...post} shares={shares} />}
		</>
	);
}
