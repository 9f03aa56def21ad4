/** A file that the browser saves, made while it is sent. */
export function download(
	parts: AsyncIterable<string | Uint8Array>,
	name: string,
	type: string,
): Response {
	const encoder = new TextEncoder();
	const iterator = parts[Symbol.asyncIterator]();
	const stream = new ReadableStream<Uint8Array>({
		async pull(controller) {
			const { done, value } = await iterator.next();
			if (done) controller.close();
			else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
		},
		async cancel() {
			await iterator.return?.();
		},
	});
	return new Response(stream, {
		headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` },
	});
}
