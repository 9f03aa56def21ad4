import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { CloseButton } from '#src/components/ui/Button.tsx';
import { formatCount, plural } from '#src/lib/text.ts';
import { find, findingOf, selectMatch, replaceAll, replaceOne, closeFind } from './find.ts';

type Props = {
	editor: Editor;
	/** Grows each time it is asked for: then its field has the focus. */
	turn: number;
	/** Whether the field for what comes instead has it. */
	isReplacing: boolean;
	onClose: () => void;
};

/** Finds words in the text, and puts others in their place. */
export function FindBar({ editor, turn, isReplacing, onClose }: Props) {
	const { query, matchCase, matches, current } = useEditorState({
		editor,
		selector: ({ editor }) => findingOf(editor.state),
	});
	const [by, setBy] = useState('');
	const [said, setSaid] = useState('');
	const finder = useRef<HTMLInputElement>(null);
	const replacer = useRef<HTMLInputElement>(null);

	// The words that are selected are looked for.
	useEffect(() => {
		const { from, to } = editor.state.selection;
		const selected = editor.state.doc.textBetween(from, to, '\n');
		if (selected && !selected.includes('\n')) find(editor, { query: selected, matchCase });
		const field = isReplacing && findingOf(editor.state).query ? replacer : finder;
		field.current?.focus();
		// The field shows the words with the next frame: what is typed then takes their place.
		requestAnimationFrame(() => field.current?.select());
	}, [turn]);
	function seek(wanted: { query?: string; matchCase?: boolean }) {
		setSaid('');
		find(editor, { query, matchCase, ...wanted });
	}
	function close() {
		closeFind(editor);
		onClose();
	}
	function replaceEverything() {
		setSaid(`${plural(replaceAll(editor, by), 'place')} replaced. Ctrl+Z takes all of it back.`);
	}
	function onKeyDown(event: KeyboardEvent) {
		// Keys of an input method replace nothing.
		if (event.nativeEvent.isComposing) return;
		const mod = event.ctrlKey || event.metaKey;
		const key = event.key.toLowerCase();
		if (key === 'escape') close();
		else if (mod && key === 'f') finder.current?.select();
		else if (mod && key === 'h') replacer.current?.focus();
		else if (mod && key === 'z' && said) editor.commands.undo();
		else if (key === 'enter' && event.target === finder.current)
			selectMatch(editor, event.shiftKey ? -1 : 1);
		else if (key === 'enter' && event.target === replacer.current) replaceOne(editor, by);
		else return;
		event.preventDefault();
		event.stopPropagation();
	}
	const button = (label: string, run: () => void) => (
		<button
			type="button"
			aria-disabled={matches.length === 0}
			onClick={() => {
				setSaid('');
				run();
			}}
		>
			{label}
		</button>
	);

	return (
		<div className="find-bar" role="search" aria-label="Find and replace" onKeyDown={onKeyDown}>
			<div>
				<input
					ref={finder}
					type="text"
					aria-label="Find"
					placeholder="Find"
					value={query}
					onChange={(event) => seek({ query: event.currentTarget.value })}
				/>
				<span role="status">
					{said ||
						(query && (matches.length === 0 ? 'Not found' : countOf(current, matches.length)))}
				</span>
				{button('Previous', () => selectMatch(editor, -1))}
				{button('Next', () => selectMatch(editor, 1))}
				<label>
					<input
						type="checkbox"
						checked={matchCase}
						onChange={(event) => seek({ matchCase: event.currentTarget.checked })}
					/>
					Match case
				</label>
				<CloseButton label="Close find and replace" onClick={close} />
			</div>
			<div>
				<input
					ref={replacer}
					type="text"
					aria-label="Replace with"
					placeholder="Replace with"
					value={by}
					onChange={(event) => setBy(event.currentTarget.value)}
				/>
				{button('Replace', () => replaceOne(editor, by))}
				{button('Replace all', replaceEverything)}
			</div>
		</div>
	);
}

const countOf = (current: number, all: number) =>
	`${formatCount(current + 1)} of ${formatCount(all)}`;
