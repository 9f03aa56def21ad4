import { useEffect, useRef, type KeyboardEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';

type Props = {
	label: string;
	name: string;
	items: string[];
	errors: Record<string, string>;
	onChange: (items: string[]) => void;
};

/** A list whose entries are added, removed and moved, with buttons or with Alt and the arrow keys. */
export function ListField({ label, name, items, errors, onChange }: Props) {
	const root = useRef<HTMLFieldSetElement>(null);
	/** The entry that gets the focus once it is there. */
	const next = useRef<number>(undefined);
	useEffect(() => {
		if (next.current === undefined) return;
		root.current?.querySelectorAll('input')[next.current]?.focus();
		next.current = undefined;
	});

	function move(from: number, to: number) {
		if (to < 0 || to >= items.length) return;
		next.current = to;
		onChange(items.toSpliced(from, 1).toSpliced(to, 0, items[from]!));
	}
	function add(at: number) {
		next.current = at;
		onChange(items.toSpliced(at, 0, ''));
	}
	function remove(at: number) {
		next.current = Math.min(at, items.length - 2);
		onChange(items.toSpliced(at, 1));
	}
	function onKeyDown(event: KeyboardEvent, index: number) {
		// Keys of an input method add nothing.
		if (event.nativeEvent.isComposing) return;
		const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
		if (event.altKey && step) move(index, index + step);
		else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) add(index + 1);
		else return;
		event.preventDefault();
	}

	return (
		<fieldset className="versioned-part" ref={root}>
			<legend>{label}</legend>
			{errors[name] && (
				<p role="alert" className="field-error">
					{errors[name]}
				</p>
			)}
			<ol className="state-list">
				{items.map((item, index) => {
					const called = item || `entry ${index + 1}`;
					return (
						// An entry is its place: two may say the same.
						<li key={index} className="field">
							<input
								aria-label={`${label} ${index + 1}`}
								aria-invalid={errors[`${name}.${index}`] !== undefined}
								value={item}
								autoComplete="off"
								onChange={({ currentTarget }) => onChange(items.with(index, currentTarget.value))}
								onKeyDown={(event) => onKeyDown(event, index)}
							/>
							<span className="row-actions">
								<button
									type="button"
									aria-label={`Move ${called} up`}
									disabled={index === 0}
									onClick={() => move(index, index - 1)}
								>
									<span aria-hidden="true">↑</span>
								</button>
								<button
									type="button"
									aria-label={`Move ${called} down`}
									disabled={index === items.length - 1}
									onClick={() => move(index, index + 1)}
								>
									<span aria-hidden="true">↓</span>
								</button>
								<button
									type="button"
									className="text-danger"
									aria-label={`Remove ${called}`}
									onClick={() => remove(index)}
								>
									<span aria-hidden="true">×</span>
								</button>
							</span>
						</li>
					);
				})}
			</ol>
			<Button variant="quiet" className="justify-self-start" onClick={() => add(items.length)}>
				Add<span className="sr-only"> to {label.toLowerCase()}</span>
			</Button>
		</fieldset>
	);
}
