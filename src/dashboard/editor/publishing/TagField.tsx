import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { completeTags } from '#src/features/posts/editing.api.ts';
import { tagKey } from '#src/features/posts/editing.ts';
import { useAsync } from '#src/lib/useAsync.ts';

type Props = { tags: readonly string[]; onChange: (tags: string[]) => void };

/** Tags by name: what exists is offered while typing, Enter or a comma adds, Backspace takes the last off. */
export function TagField({ tags, onChange }: Props) {
	const [text, setText] = useState('');
	const [chosen, setChosen] = useState(-1);
	const [open, setOpen] = useState(false);
	const id = useId();
	const input = useRef<HTMLInputElement>(null);
	const taken = new Set(tags.map(tagKey));
	const q = text.trim();
	const found = useAsync(open ? q : null, () => callAsAdmin(completeTags, { q }), 150);
	const offers = (!found.error && found.data) || [];
	const shown = offers.filter(({ name }) => !taken.has(tagKey(name)));
	const expanded = open && shown.length > 0;

	function add(name: string) {
		const clean = name.replace(/\s+/g, ' ').trim();
		setText('');
		setChosen(-1);
		if (clean && !taken.has(tagKey(clean))) onChange([...tags, clean]);
	}

	function onKeyDown(event: KeyboardEvent) {
		// Keys that compose a letter do nothing else.
		if (event.nativeEvent.isComposing) return;
		switch (event.key) {
			case 'ArrowDown':
			case 'ArrowUp': {
				event.preventDefault();
				setOpen(true);
				const step = event.key === 'ArrowDown' ? 1 : -1;
				if (shown.length > 0) setChosen((chosen + step + shown.length) % shown.length);
				return;
			}
			case 'Enter':
			case ',':
				event.preventDefault();
				add(shown[expanded ? chosen : -1]?.name ?? text);
				return;
			case 'Backspace':
				if (text === '' && tags.length > 0) onChange(tags.slice(0, -1));
				return;
			case 'Escape':
				if (expanded) event.stopPropagation();
				setOpen(false);
		}
	}

	return (
		<div className="field tag-field">
			<label htmlFor={id}>Tags</label>
			<div className="tag-box" onClick={() => input.current?.focus()}>
				{tags.map((tag) => (
					<span key={tag} className="tag">
						{tag}
						<button
							type="button"
							aria-label={`Remove ${tag}`}
							onClick={() => {
								onChange(tags.filter((other) => other !== tag));
								input.current?.focus();
							}}
						>
							×
						</button>
					</span>
				))}
				<input
					ref={input}
					id={id}
					value={text}
					role="combobox"
					aria-expanded={expanded}
					aria-controls={`${id}-list`}
					aria-autocomplete="list"
					aria-activedescendant={expanded && chosen >= 0 ? `${id}-${chosen}` : undefined}
					autoComplete="off"
					placeholder={tags.length === 0 ? 'Add a tag' : ''}
					onChange={(event) => {
						setText(event.currentTarget.value);
						setChosen(-1);
						setOpen(true);
					}}
					onFocus={() => setOpen(true)}
					onBlur={() => {
						setOpen(false);
						add(text);
					}}
					onKeyDown={onKeyDown}
				/>
			</div>
			<ul id={`${id}-list`} role="listbox" aria-label="Tags in use" hidden={!expanded}>
				{shown.map(({ name, posts }, index) => (
					<li
						key={name}
						id={`${id}-${index}`}
						role="option"
						aria-selected={index === chosen}
						onMouseDown={(event) => {
							event.preventDefault();
							add(name);
						}}
					>
						{name} <span className="label">{posts}</span>
					</li>
				))}
			</ul>
		</div>
	);
}
