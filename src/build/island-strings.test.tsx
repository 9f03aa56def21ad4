import { useId } from 'react';
import { renderToReadableStream } from 'react-dom/server';
import { expect, it } from 'vitest';
import strings from './island-strings.ts';

function Island({ label }: { label: string }) {
	const id = useId();
	return (
		<p>
			<label htmlFor={id}>{label} &amp; more</label>
			{label} <input id={id} defaultValue="“x”" />
		</p>
	);
}

const options = { identifierPrefix: 'r7' };

it('gives what a stream of React gives, with the prefix of ids', async () => {
	const island = <Island label="Ü" />;
	const expected = await new Response(await renderToReadableStream(island, options)).text();
	const reader = (await strings.renderToReadableStream(island, options)).getReader();
	const { value, done } = await reader.read();
	expect(new TextDecoder().decode(value)).toBe(expected);
	expect(expected).toContain('r7');
	expect(done).toBe(false);
	expect((await reader.read()).done).toBe(true);
});

it('throws what an island throws', async () => {
	const Broken = () => {
		throw new Error('No figures');
	};
	await expect(strings.renderToReadableStream(<Broken />, options)).rejects.toThrow('No figures');
});
