/** A `react-dom/server` for `@astrojs/react`: renders islands as strings, each a stream of one piece. */
import type { ReactNode } from 'react';
import { renderToString, type ServerOptions } from 'react-dom/server';

const encoder = new TextEncoder();

/** As React's function of this name, for islands that wait for nothing. Throws what rendering throws. */
async function renderToReadableStream(node: ReactNode, options?: ServerOptions) {
	const pieces = [encoder.encode(renderToString(node, options))];
	const read = async () => ({ value: pieces[0], done: pieces.shift() === undefined });
	return { getReader: () => ({ read }) };
}

export default { renderToReadableStream };
