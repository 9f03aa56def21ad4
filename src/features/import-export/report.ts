import { isAdded, type Report } from './send.ts';
import type { Bundle, Item, Note } from './bundle.ts';

/** Things of one kind: how many the file holds and what became of them, or would. The last three add up to the first. */
export type Group = {
	kind: string;
	found: number;
	imported: number;
	changed: number;
	left: number;
	reasons: Reason[];
};

/** Why or how things were changed or left out, with those that it holds for. */
type Reason = {
	outcome: Item['outcome'];
	what: string;
	count: number;
	/** "A title (detail)". */
	where: string[];
};

/** Kinds that the report lists first; others follow in order of appearance. */
const KIND_ORDER = [
	'post',
	'draft',
	'page',
	'comment',
	'subscriber',
	'category',
	'tag',
	'author',
	'image',
];

/** Everything that a file holds, by its kind, with nothing left out. */
export function reportOf(bundle: Bundle, report: Report): Group[] {
	const groups = new Map<string, Group & { byReason: Map<string, Reason> }>();
	for (const { kind, outcome, notes, where, count = 1 } of itemsOf(bundle, report)) {
		const group = groups.get(kind) ?? {
			...{ kind, found: 0, imported: 0, changed: 0, left: 0 },
			reasons: [],
			byReason: new Map<string, Reason>(),
		};
		groups.set(kind, group);
		group.found += count;
		group[outcome] += count;
		for (const { what, detail } of notes) {
			const key = `${outcome} ${what}`;
			const reason = group.byReason.get(key) ?? { outcome, what, count: 0, where: [] };
			group.byReason.set(key, reason);
			reason.count += count;
			const named = [where, detail && (where ? `(${detail})` : detail)].filter(Boolean).join(' ');
			if (named) reason.where.push(named);
		}
	}
	const place = ({ kind }: Group) => KIND_ORDER.indexOf(kind) + 1 || KIND_ORDER.length + 1;
	return [...groups.values()]
		.map(({ byReason, ...group }) => ({
			...group,
			reasons: [...byReason.values()].toSorted((a, b) => b.count - a.count),
		}))
		.toSorted((a, b) => place(a) - place(b));
}

/** Returns the result for each item of a bundle. */
function itemsOf(bundle: Bundle, report: Report): Item[] {
	const notesOf = (key: string) => bundle.notes.get(key) ?? [];
	const came = (kind: string, where: string, notes: Note[]): Item => {
		return { kind, outcome: notes.length > 0 ? 'changed' : 'imported', notes, where };
	};
	const left = (kind: string, where: string, what: string): Item => {
		return { kind, outcome: 'left', notes: [{ what }], where };
	};
	const posts = new Map(bundle.posts.map((post) => [post.key, post]));
	const added = new Set(report.posts.filter(isAdded).map(({ key }) => key));
	const titleOf = (key: string) => posts.get(key)?.title || key;
	const { added: fresh, completed } = report.subscribers;
	const known = bundle.subscribers.length - fresh - completed;
	return [
		...report.posts.map(({ key, outcome, notes }): Item => {
			const where = titleOf(key);
			if (outcome === 'known') return { kind: 'post', outcome: 'left', notes, where };
			return came('post', where, [...notesOf(key), ...notes]);
		}),
		...report.pages.map(({ key, outcome, notes }): Item => {
			const where = bundle.pages.find((page) => page.key === key)?.title || key;
			if (outcome === 'known') return { kind: 'page', outcome: 'left', notes, where };
			return came('page', where, [...notesOf(key), ...notes]);
		}),
		...bundle.comments.map(({ id, post, author }) => {
			const where = `${author} on “${titleOf(post)}”`;
			if (!posts.has(post)) return left('comment', where, 'Its post is not in the file');
			if (!added.has(post)) return left('comment', where, 'Its post is there already');
			return came('comment', where, notesOf(id ?? ''));
		}),
		...report.posts.flatMap(({ key, outcome, led }): Item[] => {
			const found = posts.get(key)?.redirects.length ?? 0;
			const item = { kind: 'old address', where: titleOf(key) };
			const isLeft = (what: string, count: number): Item[] =>
				count > 0 ? [{ ...item, outcome: 'left', notes: [{ what }], count }] : [];
			if (outcome === 'known') return isLeft('Its post is there already', found);
			const came: Item[] = led > 0 ? [{ ...item, outcome: 'imported', notes: [], count: led }] : [];
			return [...came, ...isLeft('It is that of another post', found - led)];
		}),
		...bundle.categories.map(({ name }) =>
			report.categories.has(name)
				? came('category', name, notesOf(name))
				: left('category', name, 'It is there already'),
		),
		...bundle.media.map(({ id, name }) => {
			const reason = report.refused.get(id);
			return reason ? left('image', name, reason) : came('image', name, notesOf(id));
		}),
		...counted('imported', fresh, []),
		...counted('changed', completed, [
			{ what: 'Known, and given a name or source that was missing' },
		]),
		...counted('left', known, [{ what: 'There already' }]),
		...bundle.items,
	];
}

function counted(outcome: Item['outcome'], count: number, notes: Note[]): Item[] {
	return count > 0 ? [{ kind: 'subscriber', outcome, count, notes, where: '' }] : [];
}

const PLURALS: Record<string, string> = {
	category: 'categories',
	property: 'properties',
	box: 'boxes',
	'list of subscribers': 'lists of subscribers',
	'table of contents': 'tables of contents',
	'old address': 'old addresses',
	'link between posts': 'links between posts',
	'link to the other site': 'links to the other site',
	'field of WordPress': 'fields of WordPress',
	audio: 'audio files',
	'drawing (SVG)': 'drawings (SVG)',
	'term of a post': 'terms of posts',
};

/** Returns the plural name of a kind. */
export function kindName(kind: string): string {
	if (kind.startsWith('row of ')) return `rows${kind.slice('row'.length)}`;
	// A word of the other program.
	if (kind in PLURALS) return PLURALS[kind]!;
	if (/[^a-z ()S]/i.test(kind)) return `“${kind}”`;
	return `${kind}s`;
}
