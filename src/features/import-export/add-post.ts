import type * as z from 'zod/mini';
import type { archiveImages } from './archive-images.ts';
import { adoptHtml, isEmpty } from './foreign-html.ts';
import { addNote, importedPage, importedPost, recordItem, type Bundle } from './bundle.ts';
import { oldAddress } from './old-addresses.ts';

type Given = z.input<typeof importedPost> & {
	/** Describes its featured image. */
	featuredAlt?: string;
};

/** Adds a post of another program to a bundle, with its article made ours and what that changed told. */
export function addPost(
	bundle: Bundle,
	images: ReturnType<typeof archiveImages>,
	given: Given,
	/** Why it was not to be read by everybody, where it was not. */
	isPrivate?: string,
): void {
	const { key, featuredImage = '' } = given;
	const where = given.title || key;
	const { featuredAlt, ...fields } = given;
	const post = { ...fields, title: (given.title ?? '').slice(0, 2000) };
	if (isPrivate) {
		post.published = false;
		addNote(bundle, key, `${isPrivate}: it comes in as a draft`);
	}
	post.content = adopted(bundle, images, given);
	if (featuredImage) {
		const stored = images.image(featuredImage, key);
		if (!stored) {
			const what =
				'Its featured image is not in the file, and a drawn cover is shown until you upload it';
			addNote(bundle, key, what, featuredImage);
		} else if (featuredAlt) images.describe(stored, featuredAlt);
		// A path of the other site leads nowhere here.
		post.featuredImage = stored ?? (/^https?:\/\//.test(featuredImage) ? featuredImage : '');
	}
	const old = new Set(
		(given.redirects ?? []).map((address) => [address, oldAddress(address)] as const),
	);
	post.redirects = [...new Set([...old].map(([, address]) => address))].filter(Boolean);
	for (const [address, kept] of old) {
		if (kept === '')
			recordItem(
				bundle,
				where,
				'old address',
				'Left out: no path that can lead on',
				address.slice(0, 200),
			);
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

/** Adds a page of another program to a bundle, with its text made ours. Not public where `isPrivate` says why. */
export function addPage(
	bundle: Bundle,
	images: ReturnType<typeof archiveImages>,
	given: z.input<typeof importedPage>,
	isPrivate?: string,
): void {
	const { key, title = '', published = false } = given;
	if (isPrivate && published) addNote(bundle, key, `${isPrivate}: it comes in and is not public`);
	bundle.pages.push(
		importedPage.parse({
			...given,
			title: title.slice(0, 200),
			content: adopted(bundle, images, given),
			published: published && !isPrivate,
		}),
	);
}

/** Returns an article's HTML made ours, and tells what that changed. */
function adopted(
	bundle: Bundle,
	images: ReturnType<typeof archiveImages>,
	{ key, title, content = '' }: Pick<Given, 'key' | 'title' | 'content'>,
): string {
	return adoptHtml(content, {
		image: (address) => images.image(address, key),
		report(kind, what, detail) {
			recordItem(bundle, title || key, kind, what, detail);
		},
	});
}
