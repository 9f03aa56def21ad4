/** Value of a post's field, by kind: one line, longer text, an image's address, another row's id, a time, and so on. */
type Values = {
	line: string;
	text: string;
	image: string;
	/** Slugs of posts, separated by commas. */
	slugs: string;
	/** Questions, each on a line with its answer. */
	asked: string;
	/** An ISO date, and what may no longer be true after it. */
	due: string;
	id: string;
	/** ISO time; empty for the time of publication. A time in the future schedules a published post. */
	time: string;
	flag: boolean;
	/** Null to estimate it from the text. */
	minutes: number | null;
	/** Names in the post's own order, without duplicates. */
	names: string[];
};
type Kind = keyof Values;

export type PostField = {
	kind: Kind;
	/** Label where two versions of a post are compared. */
	label?: string;
	/** Maximum characters (product.md section 5); of the content, without markup. */
	limit?: number;
	/** Whether the public may see it. */
	isPublic?: true;
	/** Whether search indexes it; the trigger `posts_stale` names it. */
	isSearched?: true;
	/** Name in the front matter of the article's Markdown version, if it is part of that. */
	markdownName?: string;
	/** Name in the front matter of exported files, if different. */
	file?: string;
	/** Names in the front matter of imported files, in lower case without hyphens, if different. */
	aliases?: readonly string[];
};

/**
 * Every field of a post, in the order of its form. Form, draft, revision, merge, export, import, API and Markdown version
 * derive from this table; a text's column of `posts` has the same name.
 */
export const POST_FIELDS = {
	title: { kind: 'line', label: 'Title', limit: 200, isPublic: true, isSearched: true },
	slug: { kind: 'line', label: 'Address', limit: 100, isPublic: true },
	excerpt: {
		kind: 'text',
		label: 'Excerpt',
		limit: 500,
		isPublic: true,
		isSearched: true,
		markdownName: 'description',
		aliases: ['excerpt', 'description', 'summary'],
	},
	content: { kind: 'text', limit: 50_000, isPublic: true, isSearched: true },
	featuredImage: {
		kind: 'image',
		label: 'Featured image',
		isPublic: true,
		file: 'image',
		aliases: ['featuredimage', 'image', 'cover', 'heroimage', 'thumbnail'],
	},
	metaTitle: {
		kind: 'line',
		label: 'Search title',
		limit: 200,
		isPublic: true,
		aliases: ['metatitle', 'seotitle'],
	},
	metaDescription: {
		kind: 'line',
		label: 'Search description',
		limit: 500,
		isPublic: true,
		aliases: ['metadescription', 'seodescription'],
	},
	searchedAs: { kind: 'line', label: 'Also searched as', limit: 500, isSearched: true },
	related: { kind: 'slugs', label: 'Related articles', aliases: ['related', 'relatedposts'] },
	questions: { kind: 'asked', label: 'Questions of readers', isPublic: true },
	staleAfter: { kind: 'due', label: 'Stale after' },
	author: { kind: 'line', label: 'Author', limit: 100, isPublic: true, markdownName: 'author' },
	categoryId: { kind: 'id', label: 'Category', isPublic: true },
	published: { kind: 'flag', isPublic: true },
	featured: { kind: 'flag', label: 'Featured', isPublic: true },
	readTime: { kind: 'minutes', isPublic: true },
	tags: { kind: 'names', label: 'Tags', isPublic: true },
	publishedAt: { kind: 'time', label: 'Date', isPublic: true },
} as const satisfies Record<string, PostField>;

type Fields = typeof POST_FIELDS;
export type FieldName = keyof Fields;
/** Names of the fields with this property. */
type Named<Field> = {
	[Name in FieldName]: Fields[Name] extends Field ? Name : never;
}[FieldName];
export type TextName = Named<{
	kind: 'line' | 'text' | 'image' | 'slugs' | 'asked' | 'due';
}>;
export type FlagName = Named<{ kind: 'flag' }>;
export type LimitedName = Named<{ limit: number }>;
export type LabeledName = Named<{ label: string }>;
export type MarkdownName = Named<{ kind: 'line' | 'text' | 'image'; markdownName: string }>;
export type PublicName = Named<{ isPublic: true }>;
export type ShownName = Exclude<TextName & PublicName, 'content'>;

/** A post as the editor has it (product.md section 3). */
export type PostForm = { -readonly [Name in FieldName]: Values[Fields[Name]['kind']] };

export const FIELD_NAMES = Object.keys(POST_FIELDS) as FieldName[];
export const TEXTS = namesOf<TextName>(({ kind }) =>
	['line', 'text', 'image', 'slugs', 'asked', 'due'].includes(kind),
);
export const FLAGS = namesOf<FlagName>(({ kind }) => kind === 'flag');
export const LIMITED = namesOf<LimitedName>(({ limit }) => limit !== undefined);
export const LABELED = namesOf<LabeledName>(({ label }) => label !== undefined);
export const IN_MARKDOWN = namesOf<MarkdownName>(({ markdownName }) => markdownName !== undefined);
export const PUBLIC = namesOf<PublicName>(({ isPublic = false }) => isPublic);
/** Texts that a page may show in addition to the article. */
export const SHOWN = PUBLIC.filter(
	(name): name is ShownName => name !== 'content' && TEXTS.some((text) => text === name),
);

function namesOf<Name extends FieldName>(test: (field: PostField) => boolean): Name[] {
	return FIELD_NAMES.filter((name): name is Name => test(POST_FIELDS[name]));
}

/** Returns an object with a value for each name. */
export function record<Name extends string, Value>(
	names: readonly Name[],
	valueOf: (name: Name) => Value,
): Record<Name, Value> {
	return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}
