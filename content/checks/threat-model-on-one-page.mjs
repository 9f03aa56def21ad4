// Leaves out each move, adds each arrow and makes each typo, to see what the check of the drawing notices.
import { claim, programs } from './article.mjs';

const { system, revised, findings } = new Function(
	'console',
	`${programs()}\nreturn { system, revised, findings };`,
)({ log() {} });
const arrowsOf = ({ arrows }) => arrows.trim().split('\n').map((line) => line.trim());
const without = (name) => ({
	...revised,
	boxes: { ...revised.boxes, [name]: {} },
});

console.log('each move undone                 findings');
const moves = {
	'web search connected again': { ...revised, arrows: `${revised.arrows}\nwebSearch > assistant` },
	'chat fetches images': { ...revised, boxes: { ...revised.boxes, chat: system.boxes.chat } },
	'no rule for refunds': without('refundRule'),
	'no person before mail': without('reviewedByAgent'),
	'free summary, not a category': without('category'),
};
const counts = {};
for (const [name, one] of Object.entries(moves)) {
	counts[name] = findings(one).length;
	console.log(name.padEnd(33) + counts[name]);
}
counts.both = findings({ ...moves['chat fetches images'], boxes: { ...moves['chat fetches images'].boxes, category: {} } }).length;
console.log('the last and chat fetches images'.padEnd(33) + counts.both);

const names = Object.keys(revised.boxes);
const drawn = new Set(arrowsOf(revised));
const added = names
	.flatMap((from) => names.filter((to) => to !== from).map((to) => `${from} > ${to}`))
	.filter((arrow) => !drawn.has(arrow));
const red = added.filter((arrow) => findings({ ...revised, arrows: `${revised.arrows}\n${arrow}` }).length > 0);
const shortcuts = added.filter((arrow) => /^(mail|assistant) > (draft|refund)$/.test(arrow));
console.log();
console.log(`one arrow more: ${added.length} possible, ${red.length} make a finding`);

/** Returns a description with one letter of a text left out, for each letter. */
const thrown = (descriptions) =>
	descriptions.filter((one) => {
		try {
			findings(one);
			return false;
		} catch {
			return true;
		}
	}).length;
const typos = [...system.arrows.matchAll(/\w/g)].map(({ index }) => ({
	...system,
	arrows: system.arrows.slice(0, index) + system.arrows.slice(index + 1),
}));
const marks = Object.entries(system.boxes).flatMap(([name, box]) =>
	Object.entries(box).flatMap(([mark, value]) => [
		...[...mark].map((_, i) => [name, { ...box, [mark]: undefined, [mark.slice(0, i) + mark.slice(i + 1)]: value }]),
		...(mark === 'writtenBy' ? [...value].map((_, i) => [name, { ...box, writtenBy: value.slice(0, i) + value.slice(i + 1) }]) : []),
	]),
).map(([name, box]) => ({ ...system, boxes: { ...system.boxes, [name]: box } }));
const noticed = [thrown(typos), thrown(marks)];
console.log(`a letter left out of an arrow: ${typos.length}, ${noticed[0]} are errors`);
console.log(`a letter left out of a mark: ${marks.length}, ${noticed[1]} are errors`);
const { both, ...single } = counts;
claim('only two of the five bring findings back: the rule for refunds and the person before mail', Object.entries(single).filter(([, found]) => found > 0).map(([name]) => name).join() === 'no rule for refunds,no person before mail');
claim('either can be lost without a word, and both together bring three findings', both === 3);
const searched = findings({
	boxes: { ...revised.boxes, webSearch: { writtenBy: 'anyone', causes: 'a query leaves' } },
	arrows: `${revised.arrows}\nwebSearch > assistant\nassistant > webSearch`,
});
claim('with `assistant > webSearch` and a mark for what a query can cause, three findings return', searched.length === 3);
claim(
	"and a box with `gate: 'no'` would pass for a gate",
	thrown([{ gate: 'no' }, { private: 'yes' }, { model: 1 }, { causes: true }].map((box) => ({ ...system, boxes: { ...system.boxes, refund: box } }))) === 4,
);
claim(
	'a model may be an exit itself',
	findings({ boxes: { web: { writtenBy: 'anyone' }, orders: { private: true }, agent: { model: true, causes: 'mail' } }, arrows: 'web > agent\norders > agent' }).length === 2,
);
for (const marks of [{ model: true, private: true }, { model: true, writtenBy: 'anyone' }])
	claim(
		'it may hold the secret or be the stranger itself',
		findings({ boxes: { web: { writtenBy: 'anyone' }, orders: { private: true }, agent: marks, out: { causes: 'mail' } }, arrows: `${marks.private ? 'web' : 'orders'} > agent\nagent > out` }).includes('secrets seen by agent can leave by out'),
	);
claim(
	'There is a path from a box that anyone can write to a box that causes something, and no gate on it',
	findings({ boxes: { tracker: { writtenBy: 'anyone', causes: 'mail to subscribers' }, desk: {} }, arrows: 'desk > tracker' }).join() === 'tracker: mail to subscribers',
);
const unmarked = Object.keys(system.boxes).map((name) => ({ ...system, boxes: { ...system.boxes, [name]: {} } }));
claim('A mark left out altogether is not an error', thrown(unmarked) === 0);
claim('the diagram, if it is kept true, turns red in the pull request', shortcuts.length === 4 && shortcuts.every((arrow) => red.includes(arrow)));
const chained = { ...system, arrows: 'mail > assistant > draft' };
claim('And a typo is an error message, in an arrow and in a mark alike, and so are two arrows on one line', noticed[0] === typos.length && noticed[1] === marks.length && thrown([chained]) === 1);
