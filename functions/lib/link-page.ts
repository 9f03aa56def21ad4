import type { Screen } from '#src/core/screen.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { refusalPage } from './form-page.ts';
import { renderScreen } from './screen.ts';

/** Returns the page behind a link in an email, whose button posts the token that comes with the screen. A broken link says so. */
export async function linkPage(
	path: string,
	work: () => Promise<{ screen: Screen; token: string }>,
): Promise<Response> {
	try {
		const { screen, token } = await work();
		return renderScreen(screen, path, token);
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		const text = error.fields?.['token'] ?? messageOf(error);
		return refusalPage('This link does not work', `<p role="alert">${escapeHtml(text)}</p>`, error);
	}
}
