import type { Editor } from '@tiptap/core';
import { useEffect, useRef, useState, type CSSProperties, type RefObject } from 'react';
import { commandsFor, type Command } from './commands.ts';
import { CommandIcon } from './Toolbar.tsx';

type Open = { from: number; to: number; query: string; place: CSSProperties };

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
	const [open, setOpen] = useState<Open | null>(null);
	const [chosen, setChosen] = useState(0);
	/** Where Escape closed it, until another `/` is typed. */
	const closedAt = useRef<number>(null);
	const list = useRef<HTMLUListElement>(null);
	const found = open ? commandsFor(open.query, commands) : [];
	const index = Math.min(chosen, found.length - 1);
	const shown = open && found.length > 0;

	useEffect(() => {
		function update() {
			const next = slashAt(editor);
			if (next?.from !== closedAt.current) closedAt.current = null;
			setOpen(next && closedAt.current === null ? next : null);
			if (!next) setChosen(0);
		}
		const close = () => setOpen(null);
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
		if (!open || !command) return;
		editor.chain().focus().deleteRange({ from: open.from, to: open.to }).run();
		setOpen(null);
		command.run(editor);
	}

	keys.current = (event) => {
		if (!shown) return false;
		switch (event.key) {
			case 'ArrowDown':
				setChosen((index + 1) % found.length);
				return true;
			case 'ArrowUp':
				setChosen((index - 1 + found.length) % found.length);
				return true;
			case 'Enter':
			case 'Tab':
				event.preventDefault();
				run(found[index]);
				return true;
			case 'Escape':
				closedAt.current = open.from;
				setOpen(null);
				return true;
			default:
				return false;
		}
	};

	if (!shown) return null;
	return (
		<ul ref={list} className="slash-menu" role="listbox" aria-label="Blocks" style={open.place}>
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
					onMouseMove={() => setChosen(at)}
				>
					<CommandIcon icon={command.icon} />
					{command.label}
				</li>
			))}
		</ul>
	);
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
