/** Version of the tools that programs are offered; it rises with what they answer. */
export const SERVER_VERSION = '1.1.0';

/** The tools of the Model Context Protocol by name, as programs are told of them. */
export const TOOLS = {
	search: {
		title: 'Search',
		description:
			'Searches articles, guides to AI in the 50 US states, series, categories, tags, pages, newsletter issues, lessons and downloads, best first. The same as GET /api/search.',
	},
	get_article: {
		title: 'Read an article',
		description:
			'Returns an article as Markdown, whole with its headings, or only the section below one heading. The same as the article\u2019s address with “.md” at the end.',
	},
	get_state: {
		title: 'Read the guide of a state',
		description:
			'Returns companies, universities, pay and other figures of a US state, each figure with its source. The same as GET /api/states/{slug}.',
	},
	compare_states: {
		title: 'Compare states',
		description: 'Returns the guides of two or three US states side by side.',
	},
	list_issues: {
		title: 'List newsletter issues',
		description: 'Returns the issues of the newsletter with their articles, newest first.',
	},
	list_changes: {
		title: 'List changes',
		description:
			'Returns articles and state guides published or changed since a date, newest first.',
	},
};

/** The tools of a program whose token lets it write drafts. */
export const DRAFT_TOOLS = {
	create_draft: {
		title: 'Begin a draft',
		description:
			'Stores a new draft, which the owner reads, changes and publishes. Returns its id and version. Takes a token.',
	},
	update_draft: {
		title: 'Change a draft',
		description:
			'Changes what is sent of a draft that this program began, while nobody published it. Takes the version of the last answer, and a token.',
	},
	upload_image: {
		title: 'Upload a picture',
		description:
			'Stores a PNG, JPEG, GIF, WebP, AVIF or SVG, and returns the Markdown that shows it. Takes a token.',
	},
};
