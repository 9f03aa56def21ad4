import { nearFirst } from '#src/lib/later.ts';

/** Color themes that can be chosen, in the order in which a press changes them. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const themeOf = (name: string | null | undefined): Theme =>
	THEMES.find((theme) => theme === name) ?? 'system';

/** Returns the theme that the page shows. */
function currentTheme(): Theme {
	return themeOf(document.documentElement.dataset['theme']);
}

/** Shows a theme on this page. */
function showTheme(theme: Theme): void {
	if (theme === 'system') delete document.documentElement.dataset['theme'];
	else document.documentElement.dataset['theme'] = theme;
}

/** Shows a theme and remembers it. Storage may be missing or full; the choice then lasts as long as the page. */
export function chooseTheme(theme: Theme): void {
	showTheme(theme);
	try {
		if (theme === 'system') localStorage.removeItem('theme');
		else localStorage.setItem('theme', theme);
	} catch {
		return;
	}
}

/** Calls back with the theme that was chosen in another tab, or while this page was in the browser's cache. */
function onThemeChosen(show: (theme: Theme) => void): void {
	addEventListener('storage', (event) => {
		if (event.key === 'theme') show(themeOf(event.newValue));
	});
	addEventListener('pageshow', ({ persisted }) => {
		if (persisted) show(recallTheme());
	});
}

function recallTheme(): Theme {
	try {
		return themeOf(localStorage.getItem('theme'));
	} catch {
		return currentTheme();
	}
}

/** Has the button of the header show and change the theme; pages without a header have none. */
export function startThemeToggle(): void {
	const button = document.querySelector<HTMLButtonElement>('[data-theme-toggle]');
	if (!button) return;
	const name = (theme: Theme) => {
		button.setAttribute('aria-label', `Color theme: ${theme}`);
		button.setAttribute('title', `Color theme: ${theme}`);
	};
	name(currentTheme());
	button.addEventListener('click', () => {
		const next = THEMES[(THEMES.indexOf(currentTheme()) + 1) % THEMES.length] ?? 'system';
		nearFirst(() => chooseTheme(next));
		name(next);
	});
	onThemeChosen((theme) => {
		showTheme(theme);
		name(theme);
	});
}
