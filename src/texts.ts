/** Settings that texts follow from. */
type Named = { tagline: string; description: string };

/** How often the letter comes, and on which day. */
export type LetterTimes = { cadence: 'weekly' | 'fortnightly' | 'monthly'; day: string };
export const USUAL_TIMES: LetterTimes = { cadence: 'weekly', day: 'Thursday' };

/** Returns when the letter comes, in words: "on Thursdays". */
export function scheduleWords({ cadence, day }: LetterTimes): string {
	return {
		weekly: `on ${day}s`,
		fortnightly: `every other ${day}`,
		monthly: `on the first ${day} of the month`,
	}[cadence];
}

const EVERY = { weekly: 'a week', fortnightly: 'every two weeks', monthly: 'a month' };
const OFTEN = { weekly: 'Weekly', fortnightly: 'Every two weeks', monthly: 'Monthly' };

/** Returns a text with the letter's schedule in place of its tokens. */
export const withTimes = (text: string, times: LetterTimes): string =>
	text
		.replaceAll('%WHEN%', scheduleWords(times))
		.replaceAll('%EVERY%', EVERY[times.cadence])
		.replaceAll('%OFTEN%', OFTEN[times.cadence]);

/** A sentence of the site that its owner can change. Empty, it says what follows from the rest. */
type Text = {
	/** Where it stands, and a path where it is seen. Emails have none. */
	page: string;
	see?: string;
	label: string;
	/** Beside the sample content, and on a site of one's own where that differs. */
	sample: string;
	own?: string | ((site: Named) => string);
	max: number;
	/** Rows of its field, where it has more than one. */
	rows?: number;
	hint?: string;
	/** How it is checked, if it is more than a line. */
	rule?: 'promises' | 'topics' | 'path';
};

/**
 * Every public sentence that is neither an article's nor a page's, by its field. `%NEWSLETTER%` and `%SITE_NAME%` are names;
 * `%WHEN%`, `%EVERY%` and `%OFTEN%` say the letter's schedule.
 */
export const TEXTS = {
	homeTitle: {
		...{ page: 'Home', see: '/', label: 'headline', max: 120 },
		sample: 'What is true about AI, worked out on the page',
		own: ({ tagline }) => tagline,
	},
	homeText: {
		...{ page: 'Home', see: '/', label: 'paragraph', max: 300, rows: 3 },
		sample:
			'Numbers you can redo, code you can run. For working engineers, with guides to AI work in all 50 US states. One letter %EVERY%.',
		own: ({ description }) =>
			description ||
			'New articles appear here as they are written. %NEWSLETTER% brings them to you by email.',
	},
	homeLetter: {
		...{ page: 'Home', see: '/', label: 'beside the letter', max: 120 },
		sample: 'Free, usually %WHEN%',
	},
	newsletterText: {
		...{ page: 'Newsletter', see: '/newsletter', label: 'paragraph', max: 300, rows: 2 },
		sample:
			'One letter %EVERY% about artificial intelligence, written for people who build things with it.',
		own: ({ tagline }) => `${tagline}.`,
	},
	newsletterWhen: {
		...{ page: 'Newsletter', see: '/newsletter', label: 'when it comes', max: 120 },
		sample: '%OFTEN%, usually %WHEN%',
	},
	newsletterDescription: {
		...{ page: 'Newsletter', see: '/newsletter', label: 'in search results', max: 300, rows: 2 },
		sample:
			'%NEWSLETTER%: one checked letter about artificial intelligence %EVERY%, usually %WHEN%. Free, and you can leave at any time.',
		own: '%NEWSLETTER%: one letter %EVERY%, usually %WHEN%. Free, and you can leave at any time.',
	},
	promises: {
		...{ page: 'Newsletter', see: '/newsletter', label: 'what readers get', max: 1000, rows: 5 },
		hint: 'A line each: a few words, a colon, and a sentence.',
		rule: 'promises',
		sample: [
			'Checked, not repeated: Claims are traced to the paper, the release note or the data before they reach you.',
			'Numbers you can redo: Worked examples and short code that you can run and change.',
			'Ten minutes %EVERY%: One letter with the new articles and what each one shows.',
			'Yours to leave: Free, no sign-in, and one click ends it.',
		].join('\n'),
		own: [
			'One letter %EVERY%: The new articles, each with a summary and a link.',
			'Yours to leave: Free, no sign-in, and one click ends it.',
		].join('\n'),
	},
	newsletterEnd: {
		...{ page: 'Newsletter', see: '/newsletter', label: 'at its end', max: 200 },
		sample: 'An address is all it takes. Free, and you can leave at any time.',
	},
	invitation: {
		...{
			page: 'Letter',
			see: '/#newsletter',
			label: 'below articles and pages',
			max: 300,
			rows: 3,
		},
		sample:
			'The new articles, each with a summary and a link. One letter %EVERY%, usually %WHEN%. Free, and you can leave at any time.',
	},
	invitationShort: {
		...{ page: 'Letter', label: 'in the corner', max: 120 },
		sample: 'The new articles, usually %WHEN%. Free.',
	},
	invitationExit: {
		...{ page: 'Letter', label: 'before somebody leaves', max: 300, rows: 2 },
		sample:
			'%NEWSLETTER% brings what was worked out since the last one, usually %WHEN%. Free, and one click ends it.',
		own: '%NEWSLETTER% brings the new articles, usually %WHEN%. Free, and one click ends it.',
	},
	invitationModal: {
		...{ page: 'Letter', label: 'over an article', max: 300, rows: 2 },
		sample: '%NEWSLETTER% brings the new articles, usually %WHEN%. Free, and one click ends it.',
	},
	invitationList: {
		...{
			page: 'Articles',
			see: '/blog',
			label: 'the letter in lists and articles',
			max: 300,
			rows: 2,
		},
		sample: 'What is new here, in one letter %EVERY%, usually %WHEN%.',
	},
	invitationAgain: {
		...{ page: 'Articles', see: '/blog', label: 'the letter below lists', max: 300, rows: 2 },
		sample: 'Still here? Get the next articles by email. Free, and one click ends it.',
	},
	subscribed: {
		...{ page: 'Letter', see: '/thanks/subscribe', label: 'after signing up', max: 200 },
		sample: 'Check your inbox for AI insights.',
		own: 'Check your inbox.',
	},
	subscribedToast: {
		...{ page: 'Letter', label: 'notice of a signup', max: 200 },
		sample: 'Welcome! The latest AI insights are on their way to your inbox.',
		own: 'Welcome! The first email is on its way to your inbox.',
	},
	course: {
		...{ page: 'Course', see: '/newsletter#course', label: 'paragraph', max: 300, rows: 3 },
		sample:
			'From one neuron to a system in production, with numbers you can check by hand. Lesson one comes at once; you may pause, skip ahead or stop from every email.',
	},
	courseDescription: {
		...{ page: 'Course', see: '/newsletter', label: 'in search results', max: 300, rows: 2 },
		sample:
			'Seven lessons by email, one a day: from one neuron to a system in production, with numbers you can check by hand.',
	},
	guide: {
		...{ page: 'Downloads', label: 'the guide', max: 300, rows: 2 },
		sample:
			'A guide of 50 pages that has grown to more than twice that: from the first model to one in production, worked out step by step.',
	},
	contactText: {
		...{ page: 'Contact', see: '/contact', label: 'paragraph', max: 300, rows: 2 },
		sample:
			'A question, a correction, or something missing from your state’s guide: write to us here.',
		own: 'A question or a correction: write to us here.',
	},
	contactReply: {
		...{ page: 'Contact', see: '/contact', label: 'when you answer', max: 120 },
		hint: 'Empty, if you promise nothing.',
		sample: 'We answer within a few days.',
		own: '',
	},
	topics: {
		...{ page: 'Contact', see: '/contact', label: 'topics', max: 500, rows: 4 },
		hint: 'A line each, eight or fewer.',
		rule: 'topics',
		sample: 'General question\nRequest your state\nCorrection\nPrivacy',
		own: 'General question\nCorrection\nPrivacy',
	},
	contactCorrection: {
		...{ page: 'Contact', see: '/contact', label: 'a correction that helps', max: 300, rows: 2 },
		sample:
			'The page, the sentence, what is right and where it says so: with these four, a mistake is quick to check and to mend.',
	},
	messageSent: {
		...{ page: 'Contact', see: '/thanks/contact', label: 'after a message', max: 200 },
		sample: 'Thank you. Your message has arrived.',
	},
	checkedPath: {
		...{ page: 'Articles', see: '/blog', label: 'how they are checked', max: 500, rule: 'path' },
		hint: 'Path of the page that says so. Articles link to it beside their author; without one they claim nothing.',
		sample: '/about',
		own: '',
	},
	titleSuffix: {
		...{ page: 'Articles', label: 'behind titles in search results', max: 60 },
		hint: '%YEAR% stands for the year. An article with a search title of its own has none.',
		sample: 'Complete Guide %YEAR%',
		own: '',
	},
	corrections: {
		...{ page: 'Corrections', see: '/corrections', label: 'paragraph', max: 300, rows: 2 },
		sample:
			'When an article was wrong, or says something new, it is listed here with the text before and after. Typos are fixed without a word.',
		own: 'When an article was wrong, or says something new, it is listed here with the text before and after.',
	},
	notFound: {
		...{ page: 'Not found', see: '/no-such-page', label: 'a page', max: 200 },
		sample: 'There is nothing at this address. It may have moved, or the link may be wrong.',
	},
	notFoundPost: {
		...{ page: 'Not found', see: '/blog/no-such-article', label: 'an article', max: 200 },
		sample: "The article you're looking for doesn't exist or has been removed.",
	},
	notFoundCategory: {
		...{ page: 'Not found', see: '/category/no-such-category', label: 'a category', max: 200 },
		sample: 'There is no category at this address.',
	},
	notFoundState: {
		...{ page: 'Not found', see: '/ai-best-practices/no-such-state', label: 'a state', max: 200 },
		sample: "The state you're looking for doesn't exist in our database",
	},
	notFoundTag: {
		...{ page: 'Not found', see: '/tag/no-such-tag', label: 'a tag', max: 200 },
		sample: 'No article has a tag of this name.',
	},
	mailWelcome: {
		...{ page: 'Emails', label: 'welcome', max: 500, rows: 3 },
		sample:
			'From now on you get our letter, usually %WHEN%: the new articles and what each one shows. Without a new article there is no letter.',
	},
	mailWelcomePreview: {
		...{ page: 'Emails', label: 'welcome, beside its subject', max: 150 },
		sample: 'One checked letter about artificial intelligence %EVERY%.',
		own: 'The new articles, by email.',
	},
	mailCourseEnd: {
		...{ page: 'Emails', label: 'end of the course', max: 300, rows: 2 },
		sample: 'That was the last lesson. Thank you for working through all seven.',
	},
	mailDownload: {
		...{ page: 'Emails', label: 'below a download', max: 300, rows: 2 },
		sample: 'The link works for 7 days. You have not been subscribed to anything.',
	},
} as const satisfies Record<string, Text>;

export type TextKey = keyof typeof TEXTS;
export const TEXT_KEYS = /* @__PURE__ */ Object.keys(TEXTS) as TextKey[];
const all: Record<TextKey, Text> = TEXTS;

/** Returns a text of the list. */
export const textOf = (key: TextKey): Text => all[key];

/** Returns what the site says where its owner gives no text. */
export function usualText(key: TextKey, site: Named & { content: 'sample' | 'own' }): string {
	const { sample, own = sample } = all[key];
	if (site.content === 'sample') return sample;
	return typeof own === 'string' ? own : own(site);
}

/** Returns the label of a text's field: "Home: headline". */
export const textLabel = (key: TextKey): string => `${all[key].page}: ${all[key].label}`;
