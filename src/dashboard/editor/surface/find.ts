import { Extension, type Editor } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import type { Node as ProseNode } from '@tiptap/pm/model';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';

type Match = { from: number; to: number };
type Wanted = { query: string; matchCase: boolean };

/** Words that are looked for, the places where they are, and the one that one is at. */
type Finding = Wanted & { matches: readonly Match[]; current: number };

/** Another thing to look for, another place to be at, or the position from which on the next place is. */
type Step = Wanted | { current: number } | { after: number };

const NOTHING: Finding = { query: '', matchCase: false, matches: [], current: 0 };
const key = new PluginKey<Finding>('find');

/** Returns where a text has these words: within one paragraph, heading, cell or line of code. */
function findAll(doc: ProseNode, { query, matchCase }: Wanted): Match[] {
	if (query === '') return [];
	const words = new RegExp(RegExp.escape(query), matchCase ? 'gu' : 'giu');
	const matches: Match[] = [];
	doc.descendants((node, pos) => {
		if (!node.isTextblock) return true;
		// A character for each formula or mark of a footnote: the places stay the same.
		const text = node.textBetween(0, node.content.size, undefined, '\ufffc');
		for (const { index, 0: found } of text.matchAll(words))
			matches.push({ from: pos + 1 + index, to: pos + 1 + index + found.length });
		return false;
	});
	return matches;
}

/** Marks what is looked for. */
export const Find = Extension.create({
	name: 'find',
	addProseMirrorPlugins: () => [
		new Plugin<Finding>({
			key,
			state: {
				init: () => NOTHING,
				apply(tr, before, _old, { doc, selection }) {
					const step = tr.getMeta(key) as Step | undefined;
					if (!step && !tr.docChanged) return before;
					if (step && 'current' in step) return { ...before, current: step.current };
					const wanted = step && 'query' in step ? step : before;
					const matches = findAll(doc, wanted);
					const from =
						step && 'after' in step
							? step.after
							: step
								? selection.from
								: tr.mapping.map(before.matches[before.current]?.from ?? 0);
					const next = matches.findIndex((match) => match.from >= from);
					const { query, matchCase } = wanted;
					return { query, matchCase, matches, current: Math.max(0, next) };
				},
			},
			props: {
				decorations(state) {
					const { matches, current } = findingOf(state);
					return DecorationSet.create(
						state.doc,
						matches.map(({ from, to }, index) =>
							Decoration.inline(from, to, {
								class: index === current ? 'found found-current' : 'found',
							}),
						),
					);
				},
			},
		}),
	],
});

/** Returns what is looked for in an editor. */
export function findingOf(state: Editor['state']): Finding {
	return key.getState(state) ?? NOTHING;
}

function go(editor: Editor, step: Step) {
	editor.view.dispatch(editor.state.tr.setMeta(key, step));
	editor.view.dom.querySelector('.found-current')?.scrollIntoView({ block: 'center' });
}

/** Looks for something else, from the cursor on. */
export function find(editor: Editor, { query, matchCase }: Wanted): void {
	go(editor, { query, matchCase });
}

/** Goes to the next place, or with -1 to the one before; behind the last one is the first. */
export function selectMatch(editor: Editor, by: 1 | -1): void {
	const { matches, current } = findingOf(editor.state);
	if (matches.length > 0) go(editor, { current: (current + by + matches.length) % matches.length });
}

/** Ends the search, with the cursor on what was found. */
export function closeFind(editor: Editor): void {
	const { matches, current } = findingOf(editor.state);
	const match = matches[current];
	find(editor, { query: '', matchCase: false });
	if (match) editor.commands.setTextSelection(match);
	editor.commands.focus();
}

/** Replaces what was found here, and goes to the next place. */
export function replaceOne(editor: Editor, by: string): void {
	const { matches, current } = findingOf(editor.state);
	const match = matches[current];
	if (!match) return;
	const tr = closeHistory(editor.state.tr).insertText(by, match.from, match.to);
	editor.view.dispatch(tr.setMeta(key, { after: match.from + by.length }));
	editor.view.dom.querySelector('.found-current')?.scrollIntoView({ block: 'center' });
}

/** Replaces everything that was found, to be undone in one step. Returns how much it was. */
export function replaceAll(editor: Editor, by: string): number {
	const { matches } = findingOf(editor.state);
	const tr = closeHistory(editor.state.tr);
	for (const { from, to } of matches.toReversed()) tr.insertText(by, from, to);
	editor.view.dispatch(tr);
	return matches.length;
}
