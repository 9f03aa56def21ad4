import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { keysHere } from '#src/dashboard/editor/keys.ts';
import { TABLE_COMMANDS, type Command } from './commands.ts';

/** Which commands are on where the cursor is. */
function useActive(editor: Editor, commands: readonly Command[]): ReadonlySet<string> {
	const active = useEditorState({
		editor,
		selector: ({ editor }) =>
			commands
				.filter((command) => command.active?.(editor))
				.map(({ id }) => id)
				.join(' '),
	});
	return new Set(active.split(' '));
}

type ToolProps = {
	command: Command;
	pressed: boolean | undefined;
	onRun: () => void;
	tabIndex?: number;
};

function Tool({ command, pressed, onRun, tabIndex }: ToolProps) {
	const { label, keys, icon } = command;
	return (
		<button
			type="button"
			className="tool"
			aria-label={nameOf(command)}
			aria-pressed={pressed}
			title={keys ? `${label} (${keysHere(keys)})` : label}
			tabIndex={tabIndex}
			// The text keeps its selection.
			onMouseDown={(event) => event.preventDefault()}
			onClick={onRun}
		>
			<CommandIcon icon={icon} />
		</button>
	);
}

/** A command's name, with the letters that stand on its button: whoever says them to the computer means it. */
function nameOf({ label, icon }: Command): string {
	return 'text' in icon && /^[a-z]./i.test(icon.text) && !label.includes(icon.text)
		? `${label}, ${icon.text}`
		: label;
}

export function CommandIcon({ icon }: Pick<Command, 'icon'>) {
	return 'text' in icon ? (
		<span aria-hidden="true">{icon.text}</span>
	) : (
		<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
			<path
				d={icon.path}
				fill="none"
				stroke="currentColor"
				strokeWidth="1.6"
				strokeLinecap="round"
				strokeLinejoin="round"
			/>
		</svg>
	);
}

/** One stop for the Tab key; arrows, Home and End go through its buttons, Escape back to the text. */
function useRoving(editor: Editor, count: number) {
	const [current, setCurrent] = useState(0);
	const bar = useRef<HTMLDivElement>(null);
	function onKeyDown(event: KeyboardEvent) {
		if (event.key === 'Escape') {
			event.preventDefault();
			editor.commands.focus();
			return;
		}
		const buttons = [...(bar.current?.querySelectorAll('button') ?? [])];
		const at = buttons.findIndex((button) => button === document.activeElement);
		const moves: Record<string, number> = {
			ArrowRight: (at + 1) % count,
			ArrowLeft: (at - 1 + count) % count,
			Home: 0,
			End: count - 1,
		};
		const next = moves[event.key];
		if (next === undefined) return;
		event.preventDefault();
		setCurrent(next);
		buttons[next]?.focus();
	}
	return { bar, current: Math.min(current, count - 1), onKeyDown };
}

type ToolbarProps = {
	editor: Editor;
	groups: readonly Command[][];
	onSource: () => void;
	onHelp: () => void;
};

/** Everything that can be done to the text, by pointer and by keyboard. */
export function Toolbar({ editor, groups, onSource, onHelp }: ToolbarProps) {
	const inTable = useEditorState({ editor, selector: ({ editor }) => editor.isActive('table') });
	const more: Command[] = [
		{
			id: 'source',
			label: 'HTML of the article',
			icon: { text: '<>' },
			run: onSource,
		},
		{ id: 'help', label: 'Keyboard shortcuts', keys: 'Ctrl+/', icon: { text: '?' }, run: onHelp },
	];
	const shown = [
		...[...groups, more].map((group) => group.filter(({ hidden }) => !hidden)),
		...(inTable ? [TABLE_COMMANDS] : []),
	];
	const all = shown.flat();
	const active = useActive(editor, all);
	const { bar, current, onKeyDown } = useRoving(editor, all.length);
	let place = -1;
	return (
		<div
			ref={bar}
			className="editor-toolbar"
			role="toolbar"
			aria-label="Formatting"
			onKeyDown={onKeyDown}
		>
			{shown.map((group, index) => (
				<div
					key={index}
					role="group"
					{...(group === TABLE_COMMANDS && { className: 'table-tools', 'aria-label': 'Table' })}
				>
					{group.map((command) => {
						place++;
						return (
							<Tool
								key={command.id}
								command={command}
								pressed={command.active ? active.has(command.id) : undefined}
								onRun={() => command.run(editor)}
								tabIndex={place === current ? 0 : -1}
							/>
						);
					})}
				</div>
			))}
		</div>
	);
}

/** The marks, beside words that are selected. */
export function BubbleMenu({ editor, commands }: { editor: Editor; commands: readonly Command[] }) {
	const [place, setPlace] = useState<{ left: number; top: number } | null>(null);
	const active = useActive(editor, commands);
	const { bar, current, onKeyDown } = useRoving(editor, commands.length);

	useEffect(() => {
		function update() {
			const { selection } = editor.state;
			const isText = !selection.empty && '$cursor' in selection;
			if (!isText || !editor.view.hasFocus() || editor.isActive('codeBlock')) {
				setPlace(null);
				return;
			}
			const start = editor.view.coordsAtPos(selection.from);
			const end = editor.view.coordsAtPos(selection.to);
			const box = editor.view.dom.parentElement!.getBoundingClientRect();
			const middle = start.top === end.top ? (start.left + end.left) / 2 : start.left + 60;
			setPlace({
				left: Math.max(0, Math.min(middle - box.left - 110, box.width - 220)),
				top: start.top - box.top - 52,
			});
		}
		const hide = ({ event }: { event: FocusEvent }) => {
			if (!bar.current?.contains(event.relatedTarget as Node | null)) setPlace(null);
		};
		editor.on('selectionUpdate', update);
		editor.on('blur', hide);
		return () => {
			editor.off('selectionUpdate', update);
			editor.off('blur', hide);
		};
	}, [editor]);

	if (!place) return null;
	return (
		<div
			ref={bar}
			className="bubble-menu"
			role="toolbar"
			aria-label="Selected words"
			style={place}
			onKeyDown={onKeyDown}
		>
			{commands.map((command, index) => (
				<Tool
					key={command.id}
					command={command}
					pressed={active.has(command.id)}
					onRun={() => command.run(editor)}
					tabIndex={index === current ? 0 : -1}
				/>
			))}
		</div>
	);
}
