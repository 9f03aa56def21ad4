import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { getSettings } from '#src/core/settings/settings.api.ts';
import { isPath } from '#src/core/settings/links.ts';
import { SITE_LABELS } from '#src/core/settings/site-form.ts';
import { followTheme } from '#src/dashboard/kit/follow-theme.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useQuery } from '#src/dashboard/kit/useQuery.ts';
import { ON_PAGES, pathOf } from '#src/dashboard/site/parts.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { completed, type SiteSettings } from '#src/site.ts';
import { type TextKey, textOf, usualText } from '#src/texts.ts';
import { findTexts, type Place, sayText, stillPage, withRows } from './page-texts.ts';
import { STYLE } from './style.ts';
import { TextEditor } from './TextEditor.tsx';

type Props = {
	/** As it is typed, and as it is stored. */
	form: SiteSettings;
	stored: SiteSettings;
	errors: Readonly<Record<string, string>>;
	saving: boolean;
	onEdit: (changes: Partial<SiteSettings>) => void;
	/** Stores a text; false where it was refused. */
	onSave: (key: TextKey) => Promise<boolean>;
};
type Editing = { key: TextKey; place?: Place | undefined };

const NOTHING = {};
/** Each text as it was since the desk was opened: a page that was made before the last save still says so. */
const said = new Map<TextKey, Set<string>>(ON_PAGES.map((key) => [key, new Set()]));
const rawText = (key: TextKey, site: SiteSettings) => site[key] || usualText(key, site);

/** The pages that readers get, with a pencil at each text of the site. */
export function OnThePage({ form, stored, errors, saving, onEdit, onSave }: Props) {
	const { query, set } = useQuery('site');
	const path = isPath(query['at'] ?? '') ? query['at']! : '/';
	const settings = useAnswer(getSettings, NOTHING).answer;
	const { data, error, loading, reload } = useAsync(path, async () => {
		const response = await fetch(path, { cache: 'no-store', headers: { Accept: 'text/html' } });
		if (!response.headers.get('Content-Type')?.startsWith('text/html'))
			throw new AppError('validation', 'There is no page at this address.');
		return { path, ...stillPage(await response.text()) };
	});
	const [page, setPage] = useState<{ path: string; document: Document; places: Place[] }>();
	const [editing, setEditing] = useState<Editing>();
	const left = useRef<Editing>(undefined);
	const isShown = page?.path === path && data?.path === path && !loading;
	const words = completed(
		form,
		settings && { cadence: settings.letterCadence, day: settings.letterDay },
	);
	for (const key of ON_PAGES) said.get(key)!.add(rawText(key, stored));
	const places = isShown ? page.places : [];
	const unseen = ON_PAGES.filter(
		(key) => pathOf(key) === path && !places.some((one) => one.key === key && isSeen(one)),
	);

	useLayoutEffect(() => adopt(document, window, [STYLE]), []);
	useEffect(() => (page ? followTheme(page.document) : undefined), [page?.document]);
	// Says on the page at once what is typed.
	const shown = JSON.stringify(ON_PAGES.map((key) => words[key]));
	useLayoutEffect(() => {
		if (!page || !isShown || !settings) return;
		const next = ON_PAGES.flatMap((key) => {
			const own = page.places.filter((one) => one.key === key);
			if (own.length === 0 || editing?.key === key) return own;
			const there = withRows(own, words[key]);
			sayText(there, words[key]);
			return there;
		});
		if (next.length !== page.places.length) setPage({ ...page, places: next });
	}, [page, isShown, settings, shown, editing]);

	// The palette leads to a text by its label.
	const wanted = ON_PAGES.find((key) => SITE_LABELS[key] === query['field']);
	useEffect(() => {
		if (!wanted) return;
		if (pathOf(wanted) !== path) set({ at: pathOf(wanted) }, 'replace');
		else if (isShown) {
			set({ field: '' }, 'replace');
			setEditing({ key: wanted, place: places.find((one) => one.key === wanted && isSeen(one)) });
		}
	}, [wanted, path, isShown]);

	function open(frame: HTMLIFrameElement) {
		const inner = frame.contentDocument;
		const view = frame.contentWindow as (Window & typeof globalThis) | null;
		if (!inner?.body || !view || !data) return;
		adopt(inner, view, [...data.styles, STYLE]);
		inner.addEventListener('submit', (event) => event.preventDefault());
		inner.addEventListener('click', (event) => {
			const link = (event.target as Element).closest('a');
			if (!link) return;
			event.preventDefault();
			const to = new URL(link.getAttribute('href') ?? '', new URL(data.path, location.href));
			const isHere = to.pathname === data.path;
			if (to.origin === location.origin && !isHere && !to.pathname.startsWith('/admin'))
				set({ at: to.pathname });
			else if (to.hash) inner.getElementById(to.hash.slice(1))?.scrollIntoView();
		});
		// The palette opens from here, too.
		inner.addEventListener('keydown', (event) => {
			if (event.defaultPrevented || !(event.ctrlKey || event.metaKey)) return;
			if (!document.dispatchEvent(new KeyboardEvent('keydown', event))) event.preventDefault();
		});
		const found = findTexts(inner.body, said);
		found.forEach((place, index) => {
			// A list has one.
			const isFirst = found.findIndex(({ key }) => key === place.key) === index;
			if (isFirst || !textOf(place.key).rule)
				addPencil(place, () => setEditing({ key: place.key, place }));
		});
		setEditing(undefined);
		setPage({ path: data.path, document: inner, places: found });
	}

	function close(closed: Editing) {
		left.current = closed;
		setEditing(undefined);
	}
	// Returns the focus to where the editor was opened.
	useEffect(() => {
		const { current: closed } = left;
		if (editing || !closed) return;
		left.current = undefined;
		const from = closed.place
			? page?.document.querySelector<HTMLElement>(`[data-pencil="${closed.key}"]`)
			: document.getElementById(`edit-${closed.key}`);
		from?.focus();
	}, [editing]);
	const editor = editing && (
		<TextEditor
			key={editing.key}
			text={editing.key}
			value={form[editing.key]}
			usual={usualText(editing.key, form)}
			says={words[editing.key]}
			error={errors[editing.key]}
			saving={saving}
			onEdit={(value) => onEdit({ [editing.key]: value })}
			onCancel={() => {
				onEdit({ [editing.key]: stored[editing.key] });
				close(editing);
			}}
			onSave={async () => {
				if (form[editing.key] === stored[editing.key] || (await onSave(editing.key)))
					close(editing);
			}}
		/>
	);
	const options = pagesOf(path);

	return (
		<div className="on-page">
			<Field
				type="select"
				label="Page"
				value={path}
				options={options}
				onChange={({ currentTarget }) => set({ at: currentTarget.value })}
			/>
			{error !== undefined && <SectionError message={messageOf(error)} onRetry={reload} />}
			{data?.path === path ? (
				<iframe
					key={path}
					title={`The page ${path}, to be edited`}
					srcDoc={data.html}
					onLoad={({ currentTarget }) => open(currentTarget)}
				/>
			) : (
				error === undefined && <Skeleton label="Loading the page" rows={8} />
			)}
			{editing?.place && isShown && <InPlace place={editing.place}>{editor}</InPlace>}
			{isShown && unseen.length > 0 && (
				<section>
					<h3>Not seen here</h3>
					<p className="field-hint">
						In search results, on other widths, or where nothing is said yet. What was saved before
						this desk was opened is seen once the page is made.
					</p>
					<ul className="on-page-unseen">
						{unseen.map((key) => (
							<li key={key}>
								{editing?.key === key && !editing.place ? (
									editor
								) : (
									<>
										<span>
											<span className="label">{SITE_LABELS[key]}</span>
											<span className="block">{words[key] || 'Nothing'}</span>
										</span>
										<Button id={`edit-${key}`} variant="quiet" onClick={() => setEditing({ key })}>
											Edit<span className="sr-only">: {SITE_LABELS[key]}</span>
										</Button>
									</>
								)}
							</li>
						))}
					</ul>
				</section>
			)}
		</div>
	);
}

/** Gives a page styles besides its own, which its policy has not heard of. Returns what takes them away. */
function adopt(page: Document, view: Pick<typeof globalThis, 'CSSStyleSheet'>, styles: string[]) {
	const sheets = styles.map((style) => {
		const sheet = new view.CSSStyleSheet();
		sheet.replaceSync(style);
		return sheet;
	});
	page.adoptedStyleSheets = [...page.adoptedStyleSheets, ...sheets];
	return () => {
		page.adoptedStyleSheets = page.adoptedStyleSheets.filter((one) => !sheets.includes(one));
	};
}

/** Puts an editor in the place of the words that it edits. */
function InPlace({ place: { home }, children }: { place: Place; children: ReactNode }) {
	const [slot] = useState(() => home.ownerDocument.createElement('span'));
	useLayoutEffect(() => {
		const before = [...home.childNodes];
		home.replaceChildren(slot);
		home.dataset['edited'] = '';
		return () => {
			delete home.dataset['edited'];
			home.replaceChildren(...before);
		};
	}, [home]);
	return createPortal(children, slot);
}

/** Returns whether a place can be seen: some are for other widths, or behind a press. */
const isSeen = ({ at }: Place) => at.isConnected && at.checkVisibility();

/** Puts a pencil behind the words of a text, beside what can be pressed itself. */
function addPencil({ key, at, home }: Place, edit: () => void): void {
	const pencil = at.ownerDocument.createElement('button');
	pencil.type = 'button';
	pencil.className = 'pencil';
	pencil.dataset['pencil'] = key;
	pencil.ariaLabel = `Edit ${SITE_LABELS[key]}`;
	pencil.innerHTML =
		'<svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true"><path d="m4 20 1-5L16 4l4 4L9 19zM13.5 6.5l4 4" fill="none" stroke="currentColor" stroke-width="2"/></svg>';
	pencil.addEventListener('click', edit);
	(home.closest('a, button, label, summary') ?? home).after(pencil);
}

/** Returns the pages with texts of the site, and the one that is open. A page with one text has its name. */
function pagesOf(path: string): { value: string; label: string }[] {
	const keys = Map.groupBy(ON_PAGES, pathOf);
	const named = [...keys].map(([value, [first, second]]) => ({
		value,
		label: second ? textOf(first!).page : SITE_LABELS[first!],
	}));
	return keys.has(path) ? named : [...named, { value: path, label: path }];
}
