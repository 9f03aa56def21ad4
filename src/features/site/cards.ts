import { digest } from '#src/lib/digest.ts';
import { pictures, site } from '#src/site.ts';
import type { Article } from './site.ts';

/** Content of a picture for social networks. `color` is the category's, `kind` is the line above the title. */
export type SocialCard = {
	path: string;
	title: string;
	/** Words that stand in the title's place where the font lacks its letters. */
	excerpt?: string;
	kind: string;
	slug: string;
	/** The plot that is drawn beside the title, or nothing. */
	cover: string;
	color: string;
	/** Name of a state whose outline is drawn. */
	state?: string;
};

/** Returns whether a title may need another in its place. */
export const hasOtherLetters = (title: string): boolean => /(?!\p{Script=Latin})\p{L}/u.test(title);

export function articleCard({ post, category }: Pick<Article, 'post' | 'category'>): SocialCard {
	return {
		path: pictures.post(post.slug),
		title: post.title,
		...(post.excerpt && hasOtherLetters(post.title) && { excerpt: post.excerpt }),
		kind: category.name,
		slug: post.slug,
		cover: post.cover,
		color: category.color,
	};
}

/** Returns the card of pages that have none of their own. */
export function siteCard(): SocialCard {
	return {
		path: pictures.site,
		title: site.tagline,
		kind: site.newsletter,
		slug: 'site',
		cover: '',
		color: site.accent.light,
	};
}

export function categoryCard({ slug, name, color }: Article['category']): SocialCard {
	return {
		path: pictures.category(slug),
		title: name,
		kind: 'Category',
		slug,
		cover: '',
		color,
	};
}

export function stateCard({ slug, name }: { slug: string; name: string }): SocialCard {
	return {
		path: pictures.state(slug),
		title: `AI in ${name}`,
		kind: 'AI by State',
		slug,
		cover: '',
		color: site.accent.light,
		state: name,
	};
}

/**
 * Returns the address of a card, which changes with what the card shows: networks keep a picture for days by its address.
 * One that was given before leads to the card as it is now.
 */
export function addressOf({ path, ...shown }: SocialCard): string {
	return `${path}?v=${digest(site.name, JSON.stringify(shown)).slice(0, 10)}`;
}
