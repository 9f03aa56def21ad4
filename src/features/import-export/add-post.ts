import type * as z from 'zod/mini';
import type { archiveImages } from './archive-images.ts';
import { adoptHtml, isEmpty } from './foreign-html.ts';
import { addNote, importedPost, type Bundle } from './bundle.ts';

type Given = z.input<typeof importedPost>;

/** Adds a post of another program to a bundle, with its article made ours and what that changed told. */
export function addPost(
	bundle: Bundle,
	images: ReturnType<typeof archiveImages>,
	given: Given,
	/** Why it was not to be read by everybody, where it was not. */
	isPrivate?: string,
): void {
	const { key, content = '', featuredImage = '' } = given;
	const where = given.title || key;
	const post = { ...given, title: (given.title ?? '').slice(0, 2000) };
	if (isPrivate) {
		post.published = false;
		addNote(bundle, key, `${isPrivate}: it comes in as a draft`);
	}
	post.content = adoptHtml(content, {
		image: (address) => images.image(address, key),
		report(kind, what, detail) {
			recordItem(bundle, where, kind, what, detail);
		},
	});
	if (featuredImage) {
		const stored = images.image(featuredImage, key);
		if (!stored) {
			const what =
				'Its featured image is not in the file, and a drawn cover is shown until you upload it';
			addNote(bundle, key, what, featuredImage);
		}
		// A path of the other site leads nowhere here.
		post.featuredImage = stored ?? (/^https?:\/\//.test(featuredImage) ? featuredImage : '');
	}
	if (isEmpty(post.content)) {
		addNote(bundle, key, 'There is no text of it in the file: it comes in as a draft');
		post.published = false;
	}
	// Both as WordPress and Jekyll have them; here a post has one category, and any number of tags.
	if (post.tags && post.tags.length > 100) {
		addNote(
			bundle,
			key,
			'It has more than 100 tags: the first of them stay',
			String(post.tags.length),
		);
		post.tags = post.tags.slice(0, 100);
	}
	bundle.posts.push(importedPost.parse(post));
}

/** Counts something inside of a post: with no words it came as it was, with "Left out" it did not come. */
export function recordItem(
	bundle: Bundle,
	where: string,
	kind: string,
	what: string,
	detail?: string,
): void {
	const outcome = what === '' ? 'imported' : what.startsWith('Left out') ? 'left' : 'changed';
	const notes = what === '' ? [] : [detail === undefined ? { what } : { what, detail }];
	bundle.items.push({ kind, outcome, notes, where });
}
