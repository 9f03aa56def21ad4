import { useState } from 'react';
import { drawCover } from '#src/features/covers/cover.ts';
import type { AdminPost } from '#src/features/posts/editing.api.ts';

type Props = { post: Pick<AdminPost, 'slug' | 'category' | 'picture' | 'cover'> };

/** A post's picture in the size of a row, or its cover. It says nothing that the title does not. */
export function PostPicture({ post: { slug, category, picture, cover } }: Props) {
	// An address whose file is not there: a build that is to make it is under way.
	const [missing, setMissing] = useState<string>();
	if (picture && picture !== missing) {
		return (
			<img
				src={picture}
				alt=""
				className="post-picture"
				loading="lazy"
				decoding="async"
				onError={() => setMissing(picture)}
			/>
		);
	}
	return (
		<svg
			viewBox="0 0 1200 630"
			preserveAspectRatio="xMidYMid slice"
			className="cover post-picture"
			style={{ ['--category' as string]: category.color }}
			aria-hidden="true"
			// Drawn by our own pen.
			dangerouslySetInnerHTML={{ __html: drawCover(slug, cover, 'row') }}
		/>
	);
}
