import { nextItem } from '#src/lib/roving.ts';
import {
	figureIn,
	findingText,
	levelOf,
	levelText,
	MEASURES,
	measureText,
	plateOf,
	rankOf,
	type Level,
	type Measure,
} from './ranking.ts';

type Shown = { link: SVGAElement; name: string; abbreviation: string; row: HTMLTableRowElement };

/** Shades the map by the chosen measure, as the table beside it has it, sorts that by it, and tells what was touched. */
export function followMeasure(map: HTMLElement): void {
	const rows = [...document.querySelectorAll<HTMLTableRowElement>('[data-sortable] tbody tr')];
	const rowOf = new Map(rows.map((row) => [row.querySelector('a')!.pathname, row]));
	const shown = [...map.querySelectorAll<SVGAElement>('.map a')].flatMap((link): Shown | [] => {
		const row = rowOf.get(link.href.baseVal);
		const [name = '', abbreviation = ''] = link.getAttribute('aria-label')!.split(/[,:] /);
		return row ? { link, name, abbreviation, row } : [];
	});
	const says = map.querySelector<HTMLElement>('[data-says]')!;
	tellTouched(map, says);
	markRows(shown);
	walk(shown.map(({ link }) => link));
	for (const choice of map.querySelectorAll<HTMLInputElement>('[name=measure]')) {
		choice.addEventListener('change', () => {
			const measure = choice.value as Measure;
			shade(map, shown, measure);
			document
				.querySelector<HTMLElement>(`[data-sortable] [data-measure=${measure}]`)!
				.dispatchEvent(new Event('sort'));
		});
	}
}

/** Makes of the links one stop of the keyboard, from which the arrow keys lead on. */
function walk(links: SVGAElement[]): void {
	for (const [index, link] of links.entries()) {
		link.tabIndex = index === 0 ? 0 : -1;
		link.addEventListener('focus', () => {
			for (const one of links) one.tabIndex = one === link ? 0 : -1;
		});
		link.addEventListener('keydown', (event) => {
			// With another key they are the browser's: Alt and an arrow lead back.
			const isOther = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
			const next = isOther ? null : nextItem(event.key, index, links.length);
			if (next === null) return;
			event.preventDefault();
			links[next]!.focus();
		});
	}
}

/** Draws the map anew by a measure. */
function shade(map: HTMLElement, shown: Shown[], measure: Measure): void {
	const values = shown.map(({ row }) => valueIn(row, measure));
	for (const [index, { link, name, abbreviation }] of shown.entries()) {
		const value = values[index]!;
		const level = levelOf(value, measure);
		const text = measureText(value, rankOf(values, value), measure);
		map.querySelector(`#m-${abbreviation}`)!.setAttribute('class', `l${level}`);
		link.setAttribute('aria-label', `${name}, ${abbreviation}: ${text}`);
		const note = link.querySelector('.note text')!;
		note.textContent = `${name}, ${abbreviation}: ${text}`;
		const plate = plateOf(
			Number(note.getAttribute('x')),
			note.classList.contains('end'),
			note.textContent,
		);
		for (const [side, length] of Object.entries(plate))
			link.querySelector('.note rect')!.setAttribute(side, String(length));
	}
	for (const text of map.querySelectorAll('.names text')) {
		const index = shown.findIndex(({ abbreviation }) => abbreviation === text.textContent);
		if (index >= 0) text.setAttribute('class', `t${levelOf(values[index]!, measure)}`);
	}
	for (const place of map.querySelectorAll('[data-heading]'))
		place.textContent = MEASURES[measure].heading;
	map.querySelector('[data-finding]')!.textContent = findingText(
		shown.map(({ name }, index) => ({ name, value: values[index]! })),
		measure,
	);
	for (const step of map.querySelectorAll<HTMLElement>('[data-level]'))
		step.textContent = levelText(Number(step.dataset['level']) as Level, measure);
}

/** Returns the number of a row, or null where an occupation is withheld. */
function valueIn(row: HTMLTableRowElement, measure: Measure): number | null {
	const cell = row.querySelector(`[data-measure=${measure}]`)!;
	return cell.closest('[data-partial]') ? null : figureIn(cell.textContent);
}

/** Marks the row of the state that is pointed at or has the focus, and the state of the row. */
function markRows(shown: Shown[]): void {
	for (const { link, row } of shown) {
		for (const [from, to] of [
			[link, row],
			[row, link],
		] as const) {
			for (const type of ['pointerenter', 'focusin'])
				from.addEventListener(type, () => {
					for (const one of shown.flatMap((other) => [other.link, other.row]))
						delete one.dataset['touched'];
					to.dataset['touched'] = '';
				});
			from.addEventListener('pointerleave', () => delete to.dataset['touched']);
		}
	}
}

/** Tells below the map what a finger touched; a second touch opens the guide, as does the link there. */
function tellTouched(map: HTMLElement, says: HTMLElement): void {
	let isTouch = false;
	let last: SVGAElement | undefined;
	const tell = (link: SVGAElement) => {
		const guide = document.createElement('a');
		guide.href = link.href.baseVal;
		guide.className = 'link';
		guide.textContent = 'Open the guide';
		says.replaceChildren(`${link.getAttribute('aria-label')}. `, guide);
	};
	const linkAt = (event: Event) => (event.target as Element).closest<SVGAElement>('.map a');
	map.addEventListener('pointerdown', ({ pointerType }) => (isTouch = pointerType === 'touch'));
	for (const type of ['focusin', 'pointerover'])
		map.addEventListener(type, (event) => {
			const link = linkAt(event);
			if (link) tell(link);
		});
	map.addEventListener('click', (event) => {
		const link = linkAt(event);
		if (!link || !isTouch || link === last) return;
		event.preventDefault();
		last = link;
		tell(link);
	});
	map.addEventListener('change', () => (last = undefined));
}
