import { AsyncLocalStorage } from 'node:async_hooks';
import { nextTurn } from '#src/core/batches.server.ts';

/** Parts of all files, made one after another, so that whoever asks for none waits for one part at most. */
let lastPart: Promise<unknown> = Promise.resolve();

/** Returns a response that the browser saves as a file, generated while it is sent. Everything else gets a turn after each part. */
export function streamFile(
	parts: AsyncIterable<string | Uint8Array>,
	name: string,
	type: string,
): Response {
	const encoder = new TextEncoder();
	const iterator = parts[Symbol.asyncIterator]();
	// The next part is asked for by whoever sends the response, in another context.
	const asHere = AsyncLocalStorage.snapshot();
	const stream = new ReadableStream<Uint8Array>({
		async pull(controller) {
			const part = lastPart.then(async () => {
				await nextTurn();
				return asHere(() => iterator.next());
			});
			lastPart = part.catch(() => {});
			const next = await part;
			if (next.done) controller.close();
			else {
				const { value } = next;
				controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
			}
		},
		async cancel() {
			await iterator.return?.();
		},
	});
	return new Response(stream, {
		headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` },
	});
}
