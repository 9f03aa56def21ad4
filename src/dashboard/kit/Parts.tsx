import { useContext, useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { Field } from '#src/components/ui/Field.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { screenAddress, wantsAnother } from './address.store.ts';
import { hasWords } from './has-words.ts';
import { partOf, placesOf, type Part } from './parts.ts';
import { Visit } from './useAnswer.ts';
import { useQuery } from './useQuery.ts';

type Props = {
	/** The screen in whose address the part stands. */
	screen: string;
	/** Word for the whole of them. */
	of: string;
	parts: readonly Part[];
	/** Names of parts with something that is not saved. */
	unsaved?: readonly string[];
	/** Shown where a search finds nothing. */
	elsewhere?: ReactNode;
	children: (part: string) => ReactNode;
};

/** A screen of short pages: a part each, with its own address, and a search that leads to their fields. */
export function Parts({ screen, of, parts, unsaved = [], elsewhere, children }: Props) {
	const { query, set } = useQuery(screen);
	const [q, setQ] = useState('');
	const pages = useRef<HTMLDivElement>(null);
	const open = partOf(parts, query['part']);
	const visit = useContext(Visit);
	/** Parts that were opened keep what is typed in them. What they show is asked for anew each time. */
	const [seen, setSeen] = useState<{ last: string; visits: Record<string, number> }>({
		last: '',
		visits: {},
	});
	if (seen.last !== open)
		setSeen({ last: open, visits: { ...seen.visits, [open]: (seen.visits[open] ?? 0) + 1 } });
	const wanted = query['field'];
	const found = placesOf(parts).filter(({ label, words }) => hasWords(`${label} ${words}`, q));
	const shown = q ? found : found.filter(({ field }) => field === undefined);

	useEffect(() => {
		if (!wanted) return;
		// A dialog that closes gives the focus back first, and a part may still be loading.
		let frame = 0;
		const look = () => {
			const control = controlOf(pages.current!, wanted);
			if (!control) return;
			observer.disconnect();
			set({ field: '' }, 'replace');
			control.focus();
		};
		const observer = new MutationObserver(look);
		observer.observe(pages.current!, { childList: true, subtree: true });
		frame = requestAnimationFrame(look);
		return () => {
			cancelAnimationFrame(frame);
			observer.disconnect();
		};
	}, [open, wanted]);

	function go(part: string, field = '') {
		setQ('');
		set({ part, field, q: '' });
	}
	function show(event: MouseEvent, part: string, field?: string) {
		if (wantsAnother(event)) return;
		event.preventDefault();
		go(part, field);
	}

	return (
		<div className="desk-with-parts">
			<nav
				aria-label={`Parts of the ${of}`}
				className="desk-parts"
				data-searching={q !== '' || undefined}
			>
				<SearchField label={`Search ${of}`} value={q} onSearch={setQ} />
				{!q && (
					<Field
						label={`Part of the ${of}`}
						hideLabel
						type="select"
						value={open}
						options={parts.map(({ name }) => ({
							value: name,
							label: unsaved.includes(name) ? `${name} (not saved)` : name,
						}))}
						onChange={({ currentTarget }) => go(currentTarget.value)}
					/>
				)}
				{shown.map(({ part, field, label }) => (
					<a
						key={`${part} ${field}`}
						className="link"
						href={screenAddress(screen, { part, ...(field && { field }) })}
						aria-current={!field && part === open ? 'page' : undefined}
						onClick={(event) => show(event, part, field)}
					>
						{label}
						{field && <span className="label"> {part}</span>}
						{!field && unsaved.includes(part) && <span className="label"> Not saved</span>}
					</a>
				))}
				<p role="status">{shown.length === 0 && <>Nothing has these words. {elsewhere}</>}</p>
			</nav>
			<div ref={pages}>
				{Object.entries(seen.visits).map(([part, times]) => (
					<div key={part} className="desk-part" hidden={part !== open}>
						<Visit value={visit * 1000 + times}>{children(part)}</Visit>
					</div>
				))}
			</div>
		</div>
	);
}

/** Returns what a label, a legend, a heading or a button of the part that is shown leads to. */
function controlOf(pages: HTMLElement, label: string): HTMLElement | undefined {
	const named = [
		...pages.querySelectorAll<HTMLElement>(
			'.desk-part:not([hidden]) :is(label, legend, h3, dt, button, a)',
		),
	].find((one) => one.textContent.trim().startsWith(label));
	if (!named) return undefined;
	const beside = named.matches('legend, h3') ? named.parentElement : null;
	const control =
		(named instanceof HTMLLabelElement && named.control) ||
		beside?.querySelector<HTMLElement>('input:checked, input, textarea, select, button') ||
		named;
	if (control.tabIndex < 0) control.tabIndex = -1;
	return control;
}
