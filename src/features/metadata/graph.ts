import type {
	Article,
	BreadcrumbList,
	CollectionPage,
	Course,
	CreativeWorkSeries,
	Dataset,
	FAQPage,
	Organization,
	Person,
	ProfilePage,
	Thing,
	WebPage,
	WebSite,
} from 'schema-dts';
import { shorten } from '#src/lib/text.ts';
import { CONTENT_LICENSE, DATA_FILES, paths, site } from '#src/site.ts';

/** A node of a page's structured data. */
export type Node = Exclude<Thing, string>;

/** A breadcrumb; the last one is the page itself. */
export type Crumb = { label: string; href?: string };

/** Returns structured data as the text of a script element, which nothing in it can end. */
export function graphText(nodes: Node[]): string {
	const graph = { '@context': 'https://schema.org', '@graph': nodes };
	return JSON.stringify(graph).replaceAll('<', '\\u003c');
}

/**
 * Returns functions that create the structured data of a site's pages: schema.org terms, absolute addresses
 * (product.md section 2).
 */
export function graphOf(base: string) {
	const at = (path: string) => new URL(path, base).href;
	const ids = { site: at('/#website'), publisher: at('/#organization') };
	const seriesId = (slug: string) => `${at(paths.series(slug))}#series`;
	const person = ({ name, slug }: { name: string; slug: string }) => ({
		'@type': 'Person' as const,
		'@id': `${at(paths.author(slug))}#person`,
		name,
		url: at(paths.author(slug)),
	});
	/** Returns an article's author: somebody with a page, the publisher, or a name. */
	const authorOf = ({ author, byline }: ArticleFacts): Exclude<Person | Organization, string> => {
		if (byline && !byline.isOwn) return person(byline);
		return author === site.author ? publisher : { '@type': 'Person', name: author };
	};
	const picture = (path: string) => ({
		'@type': 'ImageObject' as const,
		url: at(path),
		width: '1200',
		height: '630',
	});
	const pageFacts = ({ title, description, path }: PageFacts) => ({
		name: title,
		description,
		url: at(path),
		isPartOf: { '@id': ids.site },
	});
	const publisher = {
		'@type': 'Organization' as const,
		'@id': ids.publisher,
		name: site.publisher,
		url: at('/'),
		logo: at(site.logoPath),
	};

	return {
		/** The publisher, with a rating only if one is claimed. */
		organization(rating?: {
			ratingValue: number;
			reviewCount: number;
		}): Exclude<Organization, string> {
			return {
				...publisher,
				description: site.description,
				slogan: site.tagline,
				...(site.email.contact && { email: site.email.contact }),
				sameAs: site.profiles,
				...(rating && { aggregateRating: { '@type': 'AggregateRating', ...rating } }),
			};
		},

		/** The site and its search. */
		webSite(): WebSite {
			const search = {
				'@type': 'SearchAction' as const,
				target: {
					'@type': 'EntryPoint' as const,
					urlTemplate: `${at('/search?q=')}{search_term_string}`,
				},
				// A term of search engines, which schema.org only defines for actions in general.
				'query-input': 'required name=search_term_string',
			};
			return {
				'@type': 'WebSite',
				'@id': ids.site,
				name: site.name,
				description: site.description,
				url: at('/'),
				inLanguage: site.language,
				publisher: { '@id': ids.publisher },
				potentialAction: search,
			};
		},

		breadcrumbs(crumbs: Crumb[]): BreadcrumbList {
			return {
				'@type': 'BreadcrumbList',
				itemListElement: crumbs.map(({ label, href }, index) => ({
					'@type': 'ListItem',
					position: index + 1,
					name: label,
					...(href && { item: at(href) }),
				})),
			};
		},

		/** Questions that are visible on the page. */
		questions(items: { question: string; answer: string }[]): FAQPage {
			return {
				'@type': 'FAQPage',
				mainEntity: items.map(({ question, answer }) => ({
					'@type': 'Question',
					name: question,
					acceptedAnswer: { '@type': 'Answer', text: answer },
				})),
			};
		},

		/** A page without a more specific type. */
		page(about: PageFacts): WebPage {
			return {
				'@type': 'WebPage',
				...pageFacts(about),
				inLanguage: site.language,
			};
		},

		/** A page of a list of articles, newest first. */
		collection(about: PageFacts): CollectionPage {
			return {
				'@type': 'CollectionPage',
				...pageFacts(about),
			};
		},

		/** The page of an author. */
		profile(about: {
			name: string;
			slug: string;
			about: string;
			picture: string;
			links: { href: string }[];
			/** The publisher itself. */
			isOwn?: true;
		}): ProfilePage {
			const path = paths.author(about.slug);
			return {
				'@type': 'ProfilePage',
				...pageFacts({ title: about.name, description: about.about, path }),
				inLanguage: site.language,
				mainEntity: {
					...(about.isOwn ? publisher : person(about)),
					description: about.about,
					...(about.picture && { image: at(about.picture) }),
					...(about.links.length > 0 && { sameAs: about.links.map(({ href }) => at(href)) }),
				},
			};
		},

		/** A series and its articles, in order. */
		series(about: {
			name: string;
			description: string;
			slug: string;
			parts: { slug: string; title: string }[];
		}): CreativeWorkSeries {
			return {
				'@type': 'CreativeWorkSeries',
				'@id': seriesId(about.slug),
				name: about.name,
				description: about.description,
				url: at(paths.series(about.slug)),
				publisher,
				inLanguage: site.language,
				isPartOf: { '@id': ids.site },
				hasPart: about.parts.map(({ slug, title }, index) => ({
					'@type': 'Article',
					'@id': `${at(paths.post(slug))}#article`,
					headline: headlineOf(title),
					url: at(paths.post(slug)),
					position: index + 1,
				})),
			};
		},

		/** An article with the metadata of product.md section 3. */
		article(post: ArticleFacts): Article {
			return {
				'@type': 'Article',
				'@id': `${at(paths.post(post.slug))}#article`,
				headline: headlineOf(post.title),
				...(post.description && { description: post.description }),
				...(post.publishedAt && { datePublished: post.publishedAt }),
				dateModified: post.updatedAt,
				...correctionsOf(post),
				author: authorOf(post),
				// One description of it is enough.
				publisher: authorOf(post) === publisher ? { '@id': ids.publisher } : publisher,
				articleSection: post.section,
				keywords: post.tags,
				wordCount: post.wordCount,
				timeRequired: `PT${post.readTime}M`,
				commentCount: post.comments,
				inLanguage: site.language,
				isAccessibleForFree: true,
				isPartOf: [ids.site, ...(post.series ?? []).map(({ slug }) => seriesId(slug))].map(
					(id) => ({
						'@id': id,
					}),
				),
				mainEntityOfPage: at(paths.post(post.slug)),
				image: [picture(post.card), ...(post.picture ? [at(post.picture)] : [])],
			};
		},

		/** The free email course: one lesson a day. */
		course(about: { name: string; description: string; lessons: string[] }): Course {
			return {
				'@type': 'Course',
				name: about.name,
				description: about.description,
				provider: publisher,
				inLanguage: site.language,
				isAccessibleForFree: true,
				offers: { '@type': 'Offer', category: 'Free', price: 0, priceCurrency: 'USD' },
				hasCourseInstance: {
					'@type': 'CourseInstance',
					courseMode: 'Online',
					courseSchedule: {
						'@type': 'Schedule',
						repeatFrequency: 'P1D',
						repeatCount: about.lessons.length,
					},
				},
				syllabusSections: about.lessons.map((name, index) => ({
					'@type': 'Syllabus',
					name,
					position: index + 1,
				})),
			};
		},

		/** The figures of one state, or of all of them. */
		dataset(about: {
			name: string;
			description: string;
			path: string;
			place: string;
			modified: string;
			measures: { label: string; unit: string; value?: number | null }[];
			sources: string[];
		}): Dataset {
			return {
				'@type': 'Dataset',
				name: about.name,
				description: about.description,
				url: at(about.path),
				creator: publisher,
				dateModified: about.modified,
				isAccessibleForFree: true,
				inLanguage: site.language,
				spatialCoverage: { '@type': 'Place', name: about.place },
				variableMeasured: about.measures.map(({ label, unit, value }) => ({
					'@type': 'PropertyValue',
					name: label,
					unitText: unit,
					...(value != null && { value }),
				})),
				citation: about.sources,
				...(site.hasSamples && { license: CONTENT_LICENSE }),
				distribution: DATA_FILES.map(({ type, path }) => ({
					'@type': 'DataDownload',
					encodingFormat: type,
					contentUrl: at(path),
				})),
			};
		},
	};
}

type PageFacts = { title: string; description: string; path: string };

/** Returns a title in the 110 characters that search engines take. */
const headlineOf = (title: string) => shorten(title, 109);

/** Returns the corrections among an article's changes. */
function correctionsOf({ changes = [] }: ArticleFacts) {
	const correction = changes
		.filter(({ kind }) => kind === 'correction')
		.map(({ at, note }) => ({
			'@type': 'CorrectionComment' as const,
			datePublished: at,
			...(note && { text: note }),
		}));
	return correction.length > 0 ? { correction } : {};
}

export type ArticleFacts = {
	slug: string;
	title: string;
	description: string | null;
	author: string;
	/** The author's page. */
	byline?: { name: string; slug: string; isOwn?: true } | null;
	section: string;
	tags: string[];
	publishedAt: string | null;
	updatedAt: string;
	wordCount: number;
	/** Minutes. */
	readTime: number;
	comments: number;
	/** Path of its picture for social networks. */
	card: string;
	/** Path of its own picture. */
	picture?: string | null;
	/** The series that it is a part of. */
	series?: { slug: string }[];
	/** Its updates and corrections. */
	changes?: { at: string; kind: string; note: string }[];
};
