import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { useAsync } from '#src/lib/useAsync.ts';

type Offer = { key: string; label: string; note?: string | number };

type Props = {
	label: string;
	placeholder: string;
	/** Name of the list of offers. */
	listLabel: string;
	chosen: readonly { key: string; label: string }[];
	/** Returns what is offered for a text; what is chosen already is not shown. */
	load: (q: string) => Promise<readonly Offer[]>;
	/** Gets an offer's key, or a text that was typed. */
	onAdd: (value: string) => void;
	onRemove: (key: string) => void;
	isTaken: (offer: Offer) => boolean;
	/** Whether any text can be added, also by a comma; otherwise the best offer or the address of a page. */
	takesAny?: boolean;
	children?: ReactNode;
};

/** A list of chosen things: what exists is offered while typing, Enter adds, Backspace takes the last off. */
export function Chooser(props: Props) {
	const { label, placeholder, listLabel, chosen, load, onAdd, onRemove, isTaken } = props;
	const { takesAny = false, children } = props;
	const [text, setText] = useState('');
	const [active, setActive] = useState(-1);
	const [open, setOpen] = useState(false);
	/** Set by Enter while offers are loading: the best of them is added when they come. */
	const [isEntered, setIsEntered] = useState(false);
	const id = useId();
	const input = useRef<HTMLInputElement>(null);
	const q = text.trim();
	const found = useAsync(open ? q : null, () => load(q), 150);
	const offers = (!found.error && found.data) || [];
	const shown = offers.filter((offer) => !isTaken(offer));
	const expanded = open && shown.length > 0;

	useEffect(() => {
		if (!isEntered || found.loading) return;
		setIsEntered(false);
		if (shown[0]) add(shown[0].key);
	}, [isEntered, found.loading]);

	function add(value: string) {
		setText('');
		setActive(-1);
		setIsEntered(false);
		if (value.trim()) onAdd(value);
	}

	/** Adds what is typed where that can be added as it is. */
	function addTyped() {
		add(takesAny || text.includes('/') ? text : '');
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
				if (shown.length > 0) setActive((active + step + shown.length) % shown.length);
				return;
			}
			case ',':
			case 'Enter': {
				if (event.key === ',' && !takesAny) return;
				event.preventDefault();
				const best = takesAny || q === '' || found.loading ? undefined : shown[0];
				const offer = (expanded ? shown[active] : undefined) ?? best;
				if (offer) add(offer.key);
				else if (takesAny || text.includes('/')) addTyped();
				else setIsEntered(q !== '');
				return;
			}
			case 'Backspace':
				if (text === '' && chosen.length > 0) onRemove(chosen.at(-1)!.key);
				return;
			case 'Escape':
				if (expanded) event.stopPropagation();
				setOpen(false);
		}
	}

	return (
		<div className="field tag-field">
			<label htmlFor={id}>{label}</label>
			<div className="tag-box" onClick={() => input.current?.focus()}>
				{chosen.map((one) => (
					<span key={one.key} className="tag">
						{one.label}
						<button
							type="button"
							aria-label={`Remove ${one.label}`}
							onClick={() => {
								onRemove(one.key);
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
					aria-activedescendant={expanded && active >= 0 ? `${id}-${active}` : undefined}
					aria-describedby={children ? `${id}-hint` : undefined}
					autoComplete="off"
					placeholder={placeholder}
					onChange={(event) => {
						setText(event.currentTarget.value);
						setActive(-1);
						setIsEntered(false);
						setOpen(true);
					}}
					onFocus={() => setOpen(true)}
					onBlur={() => {
						setOpen(false);
						addTyped();
					}}
					onKeyDown={onKeyDown}
				/>
			</div>
			<ul id={`${id}-list`} role="listbox" aria-label={listLabel} hidden={!expanded}>
				{shown.map((offer, index) => (
					<li
						key={offer.key}
						id={`${id}-${index}`}
						role="option"
						aria-selected={index === active}
						onMouseDown={(event) => {
							event.preventDefault();
							add(offer.key);
						}}
					>
						{offer.label} <span className="label">{offer.note}</span>
					</li>
				))}
			</ul>
			<LoadError
				what={listLabel}
				error={found.error}
				reload={() => {
					// What is offered is asked for while the field has the focus.
					input.current?.focus();
					found.reload();
				}}
			/>
			{children && <div id={`${id}-hint`}>{children}</div>}
		</div>
	);
}
