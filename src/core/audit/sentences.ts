import type { AuditEntry } from './audit.ts';

/** An entry, without who did it, and when. */
type Told = Pick<AuditEntry, 'action' | 'subject' | 'detail'>;

/** Names of what subjects begin with. */
const THINGS: Readonly<Record<string, string>> = {
	...{ post: 'article', page: 'page', category: 'category', tag: 'tag', series: 'series' },
	...{ author: 'author', state: 'state', image: 'picture' },
};

/** Names of settings as the desk shows them. */
const SETTING_NAMES: Readonly<Record<string, string>> = {
	...{ comments: 'New comments', commentMails: 'Email me about new comments' },
	...{ blocked: 'Blocked addresses and names', refusedWords: 'Refused words' },
	...{ letterCadence: 'How often the letter comes', letterDay: 'Day of the letter' },
	...{ letterHour: 'Hour of the letter', confirmSignup: 'Confirmed signup' },
	...{ openFigures: 'Figures that are shown', abbreviations: 'Words that search knows' },
};

/** Cuts a detail such as “3 posts: “A”, “B”” after what it is about. */
function cut(detail: string): [what: string, rest: string] {
	const at = detail.search(/: /);
	return at < 0 ? [detail, ''] : [detail.slice(0, at), detail.slice(at)];
}

/** Returns a subject without its first word, which says what kind it is. */
const nameIn = (subject: string) => subject.slice(subject.indexOf(' ') + 1);

/** Returns what a deed was about: with its kind, unless the detail counts things. */
function thing({ subject, detail }: Told, cutDetail = detail ?? ''): string {
	const kind = THINGS[subject.split(' ', 1)[0]!];
	return kind && !/^\d/.test(cutDetail) ? `the ${kind} ${cutDetail}`.trim() : cutDetail;
}

/** Returns words after those of what it is about, with what follows a colon behind them. */
function around(told: Told, before: string, after = ''): string {
	const [what, rest] = cut(told.detail ?? '');
	return [before, thing(told, what), after].filter(Boolean).join(' ') + rest;
}

/** Cuts “3 posts to “A”: …” at the word between. */
function pair({ detail }: Told, word: string): [what: string, other: string, rest: string] {
	const [, what = '', other = '', rest = ''] =
		new RegExp(`^(.+?) ${word} (“.*?”|[^:]+)(: .*)?$`).exec(detail ?? '') ?? [];
	return [what || (detail ?? ''), other, rest];
}

function tagged(told: Told, word: string, after = ''): string {
	const [posts, tag, rest] = pair(told, word);
	return `tagged ${posts} with ${tag}${after}${rest}`;
}

function untagged(told: Told, word: string): string {
	const [posts, tag, rest] = pair(told, word);
	return `took the tag ${tag} off ${posts}${rest}`;
}

/** Cuts “Press: 3 subscribers” into the label and the people. */
const labeled = ({ detail }: Told) => (detail ?? '').split(/: (?=\d[\d,]* subscriber)/);

/** The changes of the site's fields, told the other way round. */
const backwards = (changes: string) =>
	changes.replace(/“([^”]*)” to “([^”]*)”/g, '“$1” instead of “$2”');

const SAMPLES = 'removed the sample content: ';
/** Cuts what changed the site into what became of the sample content, and the changes of fields. */
function siteParts({ detail }: Told): [samples: string, fields: string] {
	const all = detail ?? '';
	if (!all.startsWith(SAMPLES)) return ['', all];
	const end = all.indexOf('; ');
	return end < 0
		? [all.slice(SAMPLES.length), '']
		: [all.slice(SAMPLES.length, end), all.slice(end + 2)];
}

const settingOf = ({ subject }: Told) => `“${SETTING_NAMES[nameIn(subject)] ?? nameIn(subject)}”`;

/** Sentences of each action that can be undone: of it, and of its undoing. */
const DEEDS = {
	published: [(told) => around(told, 'published'), (told) => around(told, 'unpublished', 'again')],
	unpublished: [
		(told) => around(told, 'unpublished'),
		(told) => around(told, 'published', 'again'),
	],
	featured: [(told) => around(told, 'featured'), (told) => around(told, 'no longer featured')],
	unfeatured: [
		(told) => around(told, 'no longer featured'),
		(told) => around(told, 'featured', 'again'),
	],
	tagged: [(told) => tagged(told, 'to'), (told) => untagged(told, 'to')],
	untagged: [(told) => untagged(told, 'from'), (told) => tagged(told, 'from', ' again')],
	moved: [
		(told) => around(told, 'moved'),
		(told) => {
			const [posts, category, rest] = pair(told, 'to');
			return category
				? `moved ${posts} back from ${category}${rest}`
				: around(told, 'moved', 'back to its place');
		},
	],
	deleted: [(told) => around(told, 'deleted'), (told) => around(told, 'brought back')],
	removed: [(told) => around(told, 'removed'), (told) => around(told, 'brought back')],
	replaced: [
		(told) => around(told, 'replaced'),
		(told) => `brought back what ${thing(told)} showed before`,
	],
	kept: [
		(told) => around(told, 'kept'),
		(told) => `offered the newer file of ${thing(told, cut(told.detail ?? '')[0])} again`,
	],
	changed: [(told) => around(told, 'changed'), (told) => around(told, 'changed', 'back')],
	renamed: [
		(told) => around(told, 'renamed'),
		(told) => {
			const [from, to, rest] = pair(told, 'to');
			return rest || !from.endsWith('”')
				? around(told, 'gave', 'its former address again')
				: `renamed ${thing(told, to)} back to ${from}`;
		},
	],
	merged: [
		(told) => around(told, 'merged'),
		(told) => {
			const [from, into] = pair(told, 'into');
			return into
				? `separated ${thing(told, from)} from ${into} again`
				: around(told, 'brought back');
		},
	],
	added: [(told) => around(told, 'added'), (told) => around(told, 'took', 'away again')],
	imported: [
		(told) => around(told, 'imported'),
		(told) => `brought back what ${told.detail} were before`,
	],
	redirected: [
		(told) => around(told, 'redirected'),
		(told) => `no longer redirected ${told.detail}`,
	],
	'changed a setting': [
		(told) => `changed the setting ${settingOf(told)}: ${told.detail}`,
		(told) => {
			const [from, to] = (told.detail ?? '').split(' to ');
			const back = to === undefined ? 'as it was before' : `${from} again, no longer ${to}`;
			return `changed the setting ${settingOf(told)} back: ${back}`;
		},
	],
	'changed the site': [
		(told) => {
			const [samples, fields] = siteParts(told);
			const site = fields && `changed the site: ${fields}`;
			return samples ? [SAMPLES + samples, site].filter(Boolean).join('; ') : site;
		},
		(told) => {
			const [samples, fields] = siteParts(told);
			const site = fields && `changed the site back: ${backwards(fields)}`;
			return [samples && `brought back the sample content: ${samples}`, site]
				.filter(Boolean)
				.join('; ');
		},
	],
} satisfies Record<string, [done: (told: Told) => string, back: (told: Told) => string]>;

/** Actions that can be undone: each has a sentence for it. */
export type UndoableAction = keyof typeof DEEDS;

const isUndoable = (action: string): action is UndoableAction => Object.hasOwn(DEEDS, action);

/** The other actions whose words stand around what they are about. */
const OTHERS: Readonly<Record<string, (told: Told) => string>> = {
	created: (told) => around(told, 'created'),
	saved: (told) => around(told, 'saved the draft of'),
	scheduled: (told) => around(told, 'scheduled'),
	restored: (told) => around(told, 'restored'),
	reviewed: (told) => around(told, 'looked through', 'and found it up to date'),
	uploaded: (told) => around(told, 'uploaded'),
	'restored a revision': ({ detail }) => `brought back an earlier version of the article ${detail}`,
	'approved comments': ({ detail }) => `approved ${detail}`,
	'hid comments': ({ detail }) => `hid ${detail}`,
	'put comments back to waiting': ({ detail }) => `put ${detail} back to waiting`,
	'answered a comment': ({ detail }) => `answered a comment by ${detail}`,
	'pinned a comment': ({ detail }) => `pinned a comment by ${detail}`,
	'unpinned a comment': ({ detail }) => `unpinned a comment by ${detail}`,
	'labeled subscribers': (told) => {
		const [label, people] = labeled(told);
		return `gave ${people} the label ${label}`;
	},
	'removed a label from subscribers': (told) => {
		const [label, people] = labeled(told);
		return `took the label ${label} from ${people}`;
	},
	'made subscribers active': ({ detail }) => `made ${detail} active`,
	'made subscribers inactive': ({ detail }) => `made ${detail} inactive`,
	'sent a letter': ({ subject }) => `sent the letter “${nameIn(subject)}”`,
	'scheduled a letter': ({ subject, detail }) =>
		`scheduled the letter “${nameIn(subject)}” for ${detail}`,
	'paused a letter': ({ subject }) => `paused the letter “${nameIn(subject)}”`,
	'resumed a letter': ({ subject }) => `went on with the letter “${nameIn(subject)}”`,
	'stopped a letter': ({ subject }) => `stopped the letter “${nameIn(subject)}”`,
	'approved an issue': ({ detail }) => `approved the issue “${detail}”`,
	'let write drafts': ({ detail }) => `let the program ${detail} write drafts`,
	revoked: ({ detail }) => `took the token of the program ${detail} away`,
	'connected a network': ({ subject, detail }) => `connected ${nameIn(subject)} as ${detail}`,
	'disconnected a network': ({ subject }) => `disconnected ${nameIn(subject)}`,
	'put the site back': () => 'put the site back to an earlier build',
	'signed in': ({ detail }) => (detail ? `signed in with ${detail}` : 'signed in'),
	'ended sessions': ({ detail }) => `ended ${detail}`,
	'imported a file': ({ detail }) => `imported a file, ${detail}`,
	'imported subscribers': ({ detail }) => `imported subscribers, ${detail}`,
	'undid an import': ({ detail }) => {
		const [name, rest] = cut(detail ?? '');
		return `took the import of ${name} back${rest}`;
	},
};

/** The action that an undo took back, which an entry of it tells with its detail. */
function undoneBy({ subject, detail }: Told): Told | undefined {
	const words = detail ?? '';
	const action = Object.keys(DEEDS)
		.filter((one) => words === one || words.startsWith(`${one} `))
		.sort((a, b) => b.length - a.length)[0];
	return action === undefined
		? undefined
		: { action, subject, detail: words.slice(action.length + 1) };
}

/** Returns what the undoing of an action brings about, in the past tense. */
const undoneWords = (told: Told): string =>
	isUndoable(told.action)
		? DEEDS[told.action][1](told)
		: `took back: ${told.action} ${told.detail ?? ''}`.trim();

/** Returns what an entry of the log tells: in the past tense, with what it was about and how many. */
export function sentenceOf(told: Told): string {
	const { action, detail } = told;
	const undone = action === 'undid' ? undoneBy(told) : undefined;
	const words = undone
		? undoneWords(undone)
		: isUndoable(action)
			? DEEDS[action][0](told)
			: (OTHERS[action]?.(told) ?? (detail ? `${action}: ${detail}` : action));
	return words.charAt(0).toUpperCase() + words.slice(1);
}
