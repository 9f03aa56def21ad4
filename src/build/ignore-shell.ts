/** Leaves out of a build by Astro what the shell happens to say. Must be called before Astro and React are loaded. */
export function ignoreShell(): void {
	process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
	// Any other value bundles the development build of React.
	process.env['NODE_ENV'] = 'production';
	// Astro would put the values of these variables in the place of Vite's own.
	for (const name of ['BASE_URL', 'DEV', 'MODE', 'PROD', 'SSR']) delete process.env[name];
}
