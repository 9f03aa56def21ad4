/** Marks that lists show of an article, each with the attribute that its HTML has then. */
const MARKS = { explainer: ' data-explainer=', runs: ' data-run=' };

/** Returns the marks of an article's HTML, separated by spaces. */
export function marksIn(html: string): string {
	return Object.entries(MARKS)
		.filter(([, attribute]) => html.includes(attribute))
		.map(([mark]) => mark)
		.join(' ');
}
