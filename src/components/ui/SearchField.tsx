import { useEffect, useId, useRef, useState } from 'react';

type Props = {
	label: string;
	/** The current search. */
	value: string;
	/** Called after a pause in typing, or at once on Enter. */
	onSearch: (value: string) => void;
	/** Called on Enter instead; where it returns true, the search has led somewhere and is empty again. */
	onEnter?: (value: string) => boolean;
};

const PAUSE_MS = 250;

/** A field that searches while the user types. */
export function SearchField({ label, value, onSearch, onEnter }: Props) {
	const id = useId();
	const [typed, setTyped] = useState(value);
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	const lastSent = useRef(value);

	useEffect(() => {
		// Changed from outside, for example by the back button.
		if (value !== lastSent.current) setTyped(value);
		lastSent.current = value;
	}, [value]);
	useEffect(() => () => clearTimeout(timer.current), []);

	function sendSearch(text: string) {
		clearTimeout(timer.current);
		lastSent.current = text.trim();
		onSearch(lastSent.current);
	}

	return (
		<div className="field field-search">
			<label htmlFor={id} className="sr-only">
				{label}
			</label>
			<input
				id={id}
				type="search"
				placeholder={label}
				value={typed}
				maxLength={200}
				autoComplete="off"
				onChange={(event) => {
					const text = event.currentTarget.value;
					setTyped(text);
					clearTimeout(timer.current);
					timer.current = setTimeout(() => sendSearch(text), PAUSE_MS);
				}}
				onKeyDown={(event) => {
					if (event.key !== 'Enter') return;
					if (!onEnter?.(typed.trim())) return sendSearch(typed);
					clearTimeout(timer.current);
					lastSent.current = '';
					setTyped('');
				}}
			/>
		</div>
	);
}
