/** Returns a response that the browser saves as a file, generated while it is sent. */
export function streamFile(
	parts: AsyncIterable<string | Uint8Array>,
	name: string,
	type: string,
): Response {
	const encoder = new TextEncoder();
	const iterator = parts[Symbol.asyncIterator]();
	const stream = new ReadableStream<Uint8Array>({
		async pull(controller) {
			const next = await iterator.next();
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
