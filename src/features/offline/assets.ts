/** Files of Python: 13 MB, which a browser keeps for whoever has run a program once. */
const TOO_LARGE = /\/(pyodide\.asm|python_stdlib)\./;

/** Returns the paths of scripts, styles, fonts and pictures in a page, a script or a style sheet, but for very large ones. */
export function assetsIn(text: string): string[] {
	const built = text.matchAll(/\/_astro\/[\w@./-]+\.\w+/g);
	const imported = text.matchAll(/["'`](?:\.\/|_astro\/)([\w@.-]+\.(?:js|css))["'`]/g);
	const pictures = text.matchAll(
		/<img [^>]*?src="(\/[^"/][^"]*)"|<link rel="icon" href="(\/[^"]+)"/g,
	);
	return [
		...new Set([
			...[...built].map(([path]) => path).filter((path) => !TOO_LARGE.test(path)),
			...[...imported].map(([, name]) => `/_astro/${name}`),
			...[...pictures].map(([, picture, icon]) => (picture ?? icon)!.replaceAll('&amp;', '&')),
		]),
	];
}
