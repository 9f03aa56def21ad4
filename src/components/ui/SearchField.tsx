import { useEffect, useId, useRef, useState } from 'react';

type Props = {
	label: string;
	/** What is searched for now. */
	value: string;
	/** Called after a pause in typing, or at once by Enter. */
	onSearch: (value: string) => void;
};

const PAUSE_MS = 250;

/** A field that searches while somebody types. */
export function SearchField({ label, value, onSearch }: Props) {
	const id = useId();
	const [typed, setTyped] = useState(value);
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	const told = useRef(value);

	useEffect(() => {
		// Changed elsewhere, by the back button for one.
		if (value !== told.current) setTyped(value);
		told.current = value;
	}, [value]);
	useEffect(() => () => clearTimeout(timer.current), []);

	function tell(text: string) {
		clearTimeout(timer.current);
		told.current = text.trim();
		onSearch(told.current);
	}

	return (
		<div className="field field-search">
			<label htmlFor={id}>{label}</label>
			<input
				id={id}
				type="search"
				value={typed}
				maxLength={200}
				autoComplete="off"
				onChange={(event) => {
					const text = event.currentTarget.value;
					setTyped(text);
					clearTimeout(timer.current);
					timer.current = setTimeout(() => tell(text), PAUSE_MS);
				}}
				onKeyDown={(event) => {
					if (event.key === 'Enter') tell(typed);
				}}
			/>
		</div>
	);
}
