/** Color themes that can be chosen, in the order in which a press changes them. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const themeOf = (name: string | null | undefined): Theme =>
	THEMES.find((theme) => theme === name) ?? 'system';

/** Returns the theme that the page shows. */
export function currentTheme(): Theme {
	return themeOf(document.documentElement.dataset['theme']);
}

/** Shows a theme on this page. */
export function showTheme(theme: Theme): void {
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
export function onThemeChosen(show: (theme: Theme) => void): void {
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
