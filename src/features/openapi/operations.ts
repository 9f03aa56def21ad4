import * as z from 'zod/mini';
import * as categories from '#src/features/categories/categories.api.ts';
import * as comments from '#src/features/comments/comments.api.ts';
import * as contact from '#src/features/contact/contact.api.ts';
import { topicsOf } from '#src/features/contact/contact.ts';
import * as counts from '#src/features/counts/counts.api.ts';
import * as course from '#src/features/course/course.api.ts';
import { LINK_DAYS } from '#src/features/downloads/download.ts';
import * as downloads from '#src/features/downloads/downloads.api.ts';
import * as media from '#src/features/media/media.api.ts';
import * as mailList from '#src/features/newsletter/mail-list.api.ts';
import * as newsletter from '#src/features/newsletter/newsletter.api.ts';
import * as feedback from '#src/features/feedback/feedback.api.ts';
import { LIMITS } from '#src/features/posts/post.ts';
import * as posts from '#src/features/posts/posts.api.ts';
import * as privacy from '#src/features/privacy/privacy.api.ts';
import * as publishing from '#src/core/builds/builds.api.ts';
import * as search from '#src/features/search/search.api.ts';
import { SEARCH_LIMIT, SEARCH_MINIMUM } from '#src/features/search/search.ts';
import * as states from '#src/features/states/states.api.ts';
import * as visits from '#src/features/visits/visits.api.ts';
import * as answers from './answers.ts';
import { operation, type Operation } from './openapi.ts';

const email = { description: 'Email address. It is stored in lower case.' };
const article = { description: "The article's id." };
const SAME = 'The answer is the same whether or not the address was known before.';

/** Matches a character that is seen, for schemas; others are removed before a text is measured. */
const SEEN =
	'[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff\\ufffe\\uffff]';
const REFUSED =
	'One with a link, a refused word or a character more than ten times in a row is refused.';
const COMMENT = `${SEEN}[\\s\\S]*[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\ufffe\\uffff][\\s\\S]*${SEEN}`;
/** Schema of comments that are refused. Refused words are the site's own. */
const SPAM = { pattern: 'https?://|(.|\\n)\\1{10}' };

/** Every call that programs may make, by the name of its endpoint. Links in emails and the admin area are left out. */
export const operations: Record<string, Operation> = {
	listPosts: operation({
		endpoint: posts.listPosts,
		answer: z.array(answers.postSummary),
		tag: 'Articles',
		summary: 'Articles, newest first',
		input: { limit: { description: 'How many at most. All of them without it.' } },
	}),
	getPost: operation({
		endpoint: posts.getPost,
		answer: answers.post,
		tag: 'Articles',
		summary: 'One article with its text',
		input: { slug: { description: "The last part of the article's address." } },
		failures: ['not_found'],
	}),
	searchPosts: operation({
		endpoint: search.searchPosts,
		answer: z.array(answers.searchResult),
		tag: 'Articles',
		summary: 'Articles that say what is asked for, best first',
		description:
			'No word must be there: articles that have more of the question, in better places, and the rarer of its words come first. The last word may be the beginning of one, and abbreviations are written out. `corrected` is the question as it was understood where a word of it is in no article; `partial` says that no article has all words; `marks` are the words and phrases by which an article was found.',
		input: {
			q: {
				description: `The words. Fewer than ${SEARCH_MINIMUM} characters find nothing, unless they are a name as C# is or of a script without spaces.`,
			},
			category: { description: 'Slug of the only category to search.' },
		},
	}),
	searchEverything: operation({
		endpoint: search.searchEverything,
		answer: answers.findings,
		tag: 'Site',
		summary:
			'Articles, state guides, series, categories, tags, pages, newsletter issues, lessons and downloads, best first',
		description:
			'Ranked as articles are, all by one score. Articles are found as soon as they are saved, everything else as the last build shows it. Lessons and downloads come by email and lead to their forms.',
		input: {
			q: {
				description: `The words. Fewer than ${SEARCH_MINIMUM} characters find nothing, unless they are a name as C# is or of a script without spaces.`,
			},
			kind: { description: 'The only kind to search.' },
			category: {
				description: 'Slug of the only category to search. Leaves all but articles out.',
			},
			limit: { description: 'How many at most.', default: SEARCH_LIMIT },
		},
	}),
	listFeatured: operation({
		endpoint: posts.listFeatured,
		answer: z.array(answers.postSummary),
		tag: 'Articles',
		summary: 'Featured articles, newest first',
	}),
	listTrending: operation({
		endpoint: counts.listTrending,
		answer: z.array(answers.postSummary),
		tag: 'Articles',
		summary: `The ${LIMITS.trending} articles that are read most at the moment`,
		description: 'Counted views, older ones weighing less.',
	}),
	listMostShared: operation({
		endpoint: counts.listMostShared,
		answer: z.array(answers.postSummary),
		tag: 'Articles',
		summary: `The ${LIMITS.mostShared} articles that were shared most`,
	}),
	listChanges: operation({
		endpoint: posts.listChanges,
		answer: z.array(answers.articleChange),
		tag: 'Articles',
		summary: 'Updates and corrections of an article, newest first',
		input: { slug: { description: "The last part of the article's address." } },
		failures: ['not_found'],
	}),
	listRelated: operation({
		endpoint: posts.listRelated,
		answer: z.array(answers.relatedPost),
		tag: 'Articles',
		summary: 'Articles like this one: those that its writer chose, then the nearest',
		input: {
			id: article,
			categoryId: {
				description: "Id of the category to stay near to. The article's own without it.",
			},
			tags: {
				description:
					"Ids, slugs or names of tags to stay near to; the key may be repeated. The article's own without it.",
			},
			limit: { description: 'How many at most.', default: LIMITS.related },
		},
		failures: ['not_found'],
	}),
	countEvent: operation({
		endpoint: counts.countEvent,
		answer: z.record(z.string(), z.never()),
		tag: 'Articles',
		summary: 'Counts a view or a share',
		description:
			'Once for each visitor and day. Bots, and requests without a user agent, are not counted; the answer is the same.',
		input: {
			id: article,
			kind: { description: 'What happened.' },
			letter: { description: 'The letter whose link led to it: `utm_campaign` of the address.' },
		},
		status: 200,
		failures: ['not_found', 'rate_limited'],
	}),
	countVisit: operation({
		endpoint: visits.countVisit,
		answer: z.record(z.string(), z.never()),
		tag: 'Site',
		summary: 'Counts a page, how far it was read, or a search',
		description:
			'Once for each visitor and day. Bots, requests without a user agent, and those with `Sec-GPC: 1` or `DNT: 1` are not counted; the answer is the same.',
		input: {
			about: { description: 'What happened.' },
			path: { description: 'Path of the page. Others than those of this site are not counted.' },
			referrer: { description: 'Host of the page that led here, if it is another site.' },
			campaign: { description: 'Source, medium and name of the campaign.' },
			heading: {
				description:
					'Id of the last heading that was reached: empty before the first, `#end` at the end.',
			},
			query: { description: 'The words of a search.' },
			found: { description: 'How many things it found.' },
		},
		status: 200,
		failures: ['rate_limited'],
	}),
	listCategories: operation({
		endpoint: categories.listCategories,
		answer: z.array(answers.category),
		tag: 'Articles',
		summary: 'All categories',
	}),
	listCategoryPosts: operation({
		endpoint: categories.listCategoryPosts,
		answer: z.array(answers.postSummary),
		tag: 'Articles',
		summary: 'Articles of a category, newest first',
		input: { slug: { description: "The last part of the category's address." } },
		failures: ['not_found'],
	}),
	listComments: operation({
		endpoint: comments.listComments,
		answer: z.array(answers.comment),
		tag: 'Comments',
		summary: 'Comments on an article, newest first',
		description:
			'An empty list, too, where there is no such article. With a limit or a place, the pinned one comes first, and on the first page only.',
		input: {
			id: article,
			limit: { description: 'How many at most. All of them without it.' },
			before: {
				description: 'Those older than this comment: its `createdAt`, a slash and its `id`.',
			},
		},
	}),
	createComment: operation({
		endpoint: comments.createComment,
		answer: answers.postedComment,
		tag: 'Comments',
		summary: 'Comments on an article',
		description:
			'Plain text without links and without the words that the admin refuses; a refusal names the word. Where the answer says `waits`, it is shown once it was read. Three from one address on one article in ten minutes are enough.',
		input: {
			postId: article,
			parentId: { description: 'The comment that it answers, if any.' },
			letter: {
				description: 'The letter whose link led to the article: `utm_campaign` of the address.',
			},
			notify: { description: 'Asks for an email when it is approved or answered.' },
			author: { description: 'Name that is shown.', pattern: SEEN },
			email: { description: 'Email address. It is not shown.' },
			content: {
				description: `The comment. Code stands between lines of three backticks. ${REFUSED}`,
				pattern: COMMENT,
				not: SPAM,
			},
		},
		failures: ['not_found', 'rate_limited'],
	}),
	editComment: operation({
		endpoint: comments.editComment,
		answer: answers.postedComment,
		tag: 'Comments',
		summary: 'Changes a comment that this browser has just written',
		description: `For 15 minutes, with the cookie that the comment was answered with. Where comments are held, the new text is held as well.`,
		input: {
			id: { description: 'Id of the comment.' },
			content: { description: `What it says from now on. ${REFUSED}`, pattern: COMMENT, not: SPAM },
		},
		failures: ['rate_limited'],
	}),
	withdrawComment: operation({
		endpoint: comments.withdrawComment,
		answer: answers.success,
		tag: 'Comments',
		summary: 'Erases a comment that this browser has just written',
		description: 'For 15 minutes, with the cookie that the comment was answered with.',
		input: { id: { description: 'Id of the comment.' } },
	}),
	listStates: operation({
		endpoint: states.listStates,
		answer: z.array(answers.state),
		tag: 'State guides',
		summary: 'The guides of all states',
	}),
	getState: operation({
		endpoint: states.getState,
		answer: answers.state,
		tag: 'State guides',
		summary: 'The guide of one state',
		input: { slug: { description: "The last part of the guide's address.", example: 'texas' } },
		failures: ['not_found'],
	}),
	subscribe: operation({
		endpoint: newsletter.subscribe,
		answer: answers.subscribed,
		tag: 'Newsletter',
		summary: 'Subscribes an address to the weekly letter',
		description: SAME,
		input: {
			email,
			source: { description: 'Where the signup comes from, in words.' },
			topics: {
				description: 'Ids of the only categories whose articles are wanted. None for all.',
			},
			cadence: {
				description:
					'How often: `each` article, with one letter a day at most, `weekly`, which is the letter as the site sends it and what counts without it, or `monthly`.',
			},
		},
		failures: ['rate_limited'],
	}),
	subscribeToList: operation({
		endpoint: mailList.subscribeToList,
		answer: answers.subscribedToList,
		tag: 'Newsletter',
		summary: "Subscribes an address by a mail list's payload",
		description: SAME,
		input: {
			email,
			fields: {
				description:
					'The name, in one field or in two, and as `company` where the signup comes from.',
			},
			source: { description: 'Where the signup comes from, where `company` does not say it.' },
		},
		failures: ['rate_limited'],
	}),
	countSubscribers: operation({
		endpoint: newsletter.countSubscribers,
		answer: z.object({ count: z.number() }),
		tag: 'Newsletter',
		summary: 'How many get the weekly letter',
	}),
	enroll: operation({
		endpoint: course.enroll,
		answer: answers.enrolled,
		tag: 'Newsletter',
		summary: 'Enrolls an address in the email course',
		description: SAME,
		input: { email },
		failures: ['rate_limited'],
	}),
	requestUpgrade: operation({
		endpoint: downloads.requestUpgrade,
		answer: answers.upgradeSent,
		tag: 'Newsletter',
		summary: 'Emails a link to a download',
		description: `The link works for ${LINK_DAYS} days. ${SAME}`,
		input: {
			email,
			upgradeType: { description: 'Which download.' },
			postId: { description: 'Id of the article that it was asked for on.' },
		},
		failures: ['rate_limited'],
	}),
	getEmailjsConfig: operation({
		endpoint: newsletter.getEmailjsConfig,
		answer: z.object({ publicKey: z.string(), serviceId: z.string(), templateId: z.string() }),
		tag: 'Newsletter',
		summary: 'What a page may know of the email service',
		description: 'Empty texts where none is set up.',
	}),
	sendMessage: operation({
		endpoint: contact.sendMessage,
		answer: z.object({ success: z.literal(true) }),
		tag: 'Site',
		summary: "Writes to the site's owner",
		input: {
			name: { description: 'Who writes.', pattern: SEEN },
			email: { description: 'Email address for the answer.' },
			topic: {
				description: 'What it is about: one of the topics of the form.',
				// As the settings are when the document is made.
				get enum() {
					return topicsOf();
				},
			},
			message: { description: 'The message.', pattern: SEEN },
		},
		failures: ['rate_limited'],
	}),
	sendFeedback: operation({
		endpoint: feedback.sendFeedback,
		answer: answers.success,
		tag: 'Articles',
		summary: 'Says whether an article answered a question, and what is missing',
		description:
			'Only where the site asks its readers; otherwise no article is found. The words are not published.',
		input: {
			postId: article,
			answer: { description: 'Whether it did. Without it `words` are needed.' },
			words: { description: `What is missing. ${REFUSED}`, not: SPAM },
		},
		body: {
			anyOf: [
				{ required: ['answer'] },
				{ required: ['words'], properties: { words: { pattern: SEEN } } },
			],
		},
		failures: ['not_found', 'rate_limited'],
	}),
	requestData: operation({
		endpoint: privacy.requestData,
		answer: answers.dataRequested,
		tag: 'Site',
		summary: 'Emails the link with which an address sees or erases the data stored about it',
		description: `One email an hour to an address. ${SAME}`,
		input: { email },
		failures: ['rate_limited'],
	}),
	getMedia: operation({
		endpoint: media.getMedia,
		tag: 'Site',
		summary: 'An image of an article',
		description: 'An address has the same bytes for ever.',
		input: { id: { description: "The image's id." } },
		failures: ['not_found'],
		type: 'image/*',
	}),
	getHealth: operation({
		endpoint: publishing.getHealth,
		answer: answers.health,
		tag: 'Site',
		summary: 'What the site can do now',
		description: 'Always 200: pages are served also while nothing can be written.',
		fresh: true,
	}),
};
