/** Reports that one page sends at most: a loop that fails tells no more by its thousandth error. */
const MAX_REPORTS = 5;

/** Tells the owner of this page's uncaught errors. Does nothing where the reader asked not to be followed. */
export function reportErrors(): void {
	if ((navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl) return;
	const seen = new Set<string>();
	const report = async (error: unknown) => {
		// What is expected, such as a broken connection, was told to the reader.
		if (!(error instanceof Error) || error.name === 'AppError' || error.name === 'AbortError')
			return;
		// Few pages have errors.
		const { reportOf } = await import('./scrub.ts');
		const body = JSON.stringify(reportOf(error, location.pathname));
		if (seen.has(body) || seen.size >= MAX_REPORTS) return;
		seen.add(body);
		await fetch('/api/errors', {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body,
			keepalive: true,
			credentials: 'omit',
		});
	};
	// A report that cannot be sent is no error to report.
	const tryReport = (error: unknown) => void report(error).catch(() => {});
	addEventListener('error', ({ error }) => tryReport(error));
	addEventListener('island-failed', (event) => tryReport((event as CustomEvent<unknown>).detail));
	addEventListener('unhandledrejection', (event) => {
		if (!event.defaultPrevented) tryReport(event.reason);
	});
}
