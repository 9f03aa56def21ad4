import type { Editor } from '@tiptap/core';
import { useEffect, useRef, useState, type CSSProperties, type RefObject } from 'react';
import { commandsFor, type Command } from './commands.ts';
import { CommandIcon } from './Toolbar.tsx';

type Open = { from: number; to: number; query: string; place: CSSProperties };
type State = { open: Open | null; chosen: number };
const CLOSED: State = { open: null, chosen: 0 };

/** Height of the longest menu, and its distance from the line, in pixels. */
const MENU_HEIGHT = 310;
const GAP = 6;

type Props = {
	editor: Editor;
	commands: readonly Command[];
	/** Is given what handles keys while the menu is open. */
	keys: RefObject<(event: KeyboardEvent) => boolean>;
};

/** Blocks by name: `/` at the start of a line or after a space, then letters, arrows and Enter. */
export function SlashMenu({ editor, commands, keys }: Props) {
	const [state, setState] = useState(CLOSED);
	/** The same, for keys that come before it is shown: whoever types fast chooses by name and Enter. */
	const latest = useRef(state);
	/** Where Escape closed it, until another `/` is typed. */
	const closedAt = useRef<number>(null);
	const list = useRef<HTMLUListElement>(null);
	const { found, index } = choiceOf(state, commands);
	const shown = state.open && found.length > 0;

	function change(changes: Partial<State>) {
		latest.current = { ...latest.current, ...changes };
		setState(latest.current);
	}

	useEffect(() => {
		function update() {
			const next = slashAt(editor);
			if (next?.from !== closedAt.current) closedAt.current = null;
			change({
				open: next && closedAt.current === null ? next : null,
				...(!next && { chosen: 0 }),
			});
		}
		const close = () => change({ open: null });
		editor.on('update', update);
		editor.on('selectionUpdate', update);
		editor.on('blur', close);
		return () => {
			editor.off('update', update);
			editor.off('selectionUpdate', update);
			editor.off('blur', close);
		};
	}, [editor]);

	useEffect(() => {
		const { dom } = editor.view;
		if (!shown) dom.removeAttribute('aria-activedescendant');
		else dom.setAttribute('aria-activedescendant', `slash-${found[index]?.id}`);
		list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
	});

	function run(command: Command | undefined) {
		const { open } = latest.current;
		if (!open || !command) return;
		editor.chain().focus().deleteRange({ from: open.from, to: open.to }).run();
		change({ open: null });
		command.run(editor);
	}

	keys.current = (event) => {
		const { open } = latest.current;
		const { found, index } = choiceOf(latest.current, commands);
		if (!open || found.length === 0) return false;
		switch (event.key) {
			case 'ArrowDown':
				change({ chosen: (index + 1) % found.length });
				return true;
			case 'ArrowUp':
				change({ chosen: (index - 1 + found.length) % found.length });
				return true;
			case 'Enter':
			case 'Tab':
				event.preventDefault();
				run(found[index]);
				return true;
			case 'Escape':
				closedAt.current = open.from;
				change({ open: null });
				return true;
			default:
				return false;
		}
	};

	if (!shown) return null;
	return (
		<ul
			ref={list}
			className="slash-menu"
			role="listbox"
			aria-label="Blocks"
			style={state.open?.place}
		>
			{found.map((command, at) => (
				<li
					key={command.id}
					id={`slash-${command.id}`}
					role="option"
					aria-selected={at === index}
					onMouseDown={(event) => {
						event.preventDefault();
						run(command);
					}}
					onMouseMove={() => change({ chosen: at })}
				>
					<CommandIcon icon={command.icon} />
					{command.label}
				</li>
			))}
		</ul>
	);
}

/** Returns the commands of a menu, and which of them is chosen. */
function choiceOf({ open, chosen }: State, commands: readonly Command[]) {
	const found = open ? commandsFor(open.query, commands) : [];
	return { found, index: Math.min(chosen, found.length - 1) };
}

function slashAt(editor: Editor): Open | null {
	const { selection } = editor.state;
	const { $from, empty } = selection;
	if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return null;
	const before = $from.parent.textBetween(0, $from.parentOffset, '\0', '\0');
	const query = /(?:^|\s)\/([a-z0-9]{0,20})$/i.exec(before)?.[1];
	if (query === undefined) return null;
	const from = $from.pos - query.length - 1;
	const at = editor.view.coordsAtPos(from);
	const box = editor.view.dom.parentElement!.getBoundingClientRect();
	const below = innerHeight - at.bottom;
	const isAbove = below < MENU_HEIGHT && at.top > below;
	return {
		from,
		to: $from.pos,
		query,
		place: {
			left: Math.max(0, Math.min(at.left - box.left, box.width - 260)),
			...(isAbove ? { bottom: box.bottom - at.top + GAP } : { top: at.bottom - box.top + GAP }),
		},
	};
}
