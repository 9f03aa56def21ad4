import {
	useContext,
	useEffect,
	useRef,
	useState,
	type KeyboardEvent,
	type MouseEvent,
	type ReactNode,
} from 'react';
import { Field } from '#src/components/ui/Field.tsx';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { useAsync } from '#src/lib/useAsync.ts';
import { openScreen, screenAddress, wantsAnother } from './address.store.ts';
import { hasWords } from './has-words.ts';
import { partOf, placesIn, type Part, type Place } from './parts.ts';
import { $places } from './places.store.ts';
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
	children: (part: string) => ReactNode;
};

/** Returns what the search finds here and elsewhere at the desk. */
async function loadPlaces() {
	const { settings, screens } = await $places.get()();
	return [...settings, ...screens];
}

/** A screen of short pages: a part each, with its own address, and a search that leads to their fields. */
export function Parts({ screen, of, parts, unsaved = [], children }: Props) {
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
	// Their labels and rules are loaded with the first search.
	const all = useAsync(q ? 'places' : null, loadPlaces);
	/** Returns what has these words: first what has them in its name, and of that what is here. */
	const find = (words: string) => {
		const rank = ({ screen: at, label }: Place) =>
			(at === screen ? 0 : 1) + (hasWords(label, words) ? 0 : 2);
		return (all.data ?? placesIn(screen, of[0]!.toUpperCase() + of.slice(1), parts))
			.filter((one) => hasWords(`${one.label} ${one.words}`, words))
			.toSorted((a, b) => rank(a) - rank(b));
	};
	const found = q ? find(q) : [];

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

	function go(at: string, to: Readonly<Record<string, string>>) {
		setQ('');
		if (at === screen) set({ field: '', q: '', ...to });
		else openScreen(at, to);
	}
	function show(event: MouseEvent, at: string, to: Readonly<Record<string, string>>) {
		if (wantsAnother(event)) return;
		event.preventDefault();
		go(at, to);
	}
	/** Opens the first place that has these words. Returns whether there is one. */
	function goToFirst(words: string): boolean {
		const first = words ? find(words)[0] : undefined;
		if (first) go(first.screen, first.query);
		return first !== undefined;
	}
	/** Arrow keys go from the field to what is listed and back, as Escape does. */
	function move(event: KeyboardEvent<HTMLElement>) {
		// Keys of an input method choose nothing.
		if (event.nativeEvent.isComposing) return;
		const { target, currentTarget } = event;
		const field = currentTarget.querySelector<HTMLInputElement>('input')!;
		const stops = [field, ...currentTarget.querySelectorAll('a')];
		const at = stops.indexOf(target as HTMLAnchorElement);
		if (event.key === 'ArrowDown' && at >= 0) stops[at + 1]?.focus();
		else if (event.key === 'ArrowUp' && at > 0) stops[at - 1]!.focus();
		else if (event.key === 'Escape' && at > 0) field.focus();
		else return;
		event.preventDefault();
	}
	const saved = (name: string) => !unsaved.includes(name);

	return (
		<div className="desk-with-parts">
			<nav
				aria-label={`Parts of the ${of}`}
				className="desk-parts"
				data-searching={q !== '' || undefined}
				onKeyDown={move}
			>
				<SearchField label={`Search ${of}`} value={q} onSearch={setQ} onEnter={goToFirst} />
				{!q && (
					<Field
						label={`Part of the ${of}`}
						hideLabel
						type="select"
						value={open}
						options={parts.map(({ name, group }) => ({
							value: name,
							label: saved(name) ? name : `${name} (not saved)`,
							group,
						}))}
						onChange={({ currentTarget }) => go(screen, { part: currentTarget.value })}
					/>
				)}
				{!q &&
					[...Map.groupBy(parts, ({ group }) => group)].map(([group = '', own]) => (
						<div
							key={group}
							className="desk-parts-group"
							role={group ? 'group' : undefined}
							aria-label={group || undefined}
						>
							{group && (
								<p className="label" aria-hidden="true">
									{group}
								</p>
							)}
							{own.map(({ name }) => (
								<a
									key={name}
									className="link"
									href={screenAddress(screen, { part: name })}
									aria-current={name === open ? 'page' : undefined}
									onClick={(event) => show(event, screen, { part: name })}
								>
									{name}
									{!saved(name) && <span className="label"> Not saved</span>}
								</a>
							))}
						</div>
					))}
				{found.map(({ id, label, hint, screen: at, query: to }) => (
					<a
						key={id}
						className="link"
						href={screenAddress(at, to)}
						onClick={(event) => show(event, at, to)}
					>
						{label} <span className="label">{hint}</span>
					</a>
				))}
				<p role="status">{q && all.data && found.length === 0 && 'Nothing has these words.'}</p>
				<LoadError what="Names of settings" error={all.error} reload={all.reload} />
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
	// A section has other headings, with fields of theirs above it.
	const below = [
		...(beside?.querySelectorAll<HTMLElement>('input, textarea, select, button') ?? []),
	].find((one) => named.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
	const control = (named instanceof HTMLLabelElement && named.control) || below || named;
	if (control.tabIndex < 0) control.tabIndex = -1;
	return control;
}
