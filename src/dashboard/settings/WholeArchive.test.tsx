// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { WholeArchive } from './WholeArchive.tsx';

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

/** Stands in for the server, whose archive comes as `steps` say. Returns what was asked for and what was saved. */
function serve(answer: (body: unknown) => Response) {
	const asked: unknown[] = [];
	const saved: Blob[] = [];
	vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
		asked.push(JSON.parse(init.body as string));
		return answer(asked.at(-1));
	});
	vi.stubGlobal('URL', {
		createObjectURL: (file: Blob) => `blob:${saved.push(file)}`,
		revokeObjectURL: () => {},
	});
	vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
	return { asked, saved };
}

const make = () => userEvent.click(screen.getByRole('button', { name: 'Make an archive' }));
const checkbox = () => screen.getByRole('checkbox');

test('the archive is saved when it is there, and until then its size is told', async () => {
	const { writable, readable } = new TransformStream<Uint8Array, Uint8Array>();
	const { asked, saved } = serve(() => new Response(readable));
	render(<WholeArchive />);
	await make();
	const writer = writable.getWriter();
	await writer.write(new Uint8Array(2_000_000));
	await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/1\.9 MB…$/));
	expect(saved).toEqual([]);
	await writer.close();
	await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/^Made: 1\.9 MB/));
	expect(saved.map(({ size }) => size)).toEqual([2_000_000]);
	expect(asked).toEqual([{}]);
});

test('one that breaks off is not saved, and a refusal is told; what was typed stays', async () => {
	let answer = new Response(
		new ReadableStream({
			pull(stream) {
				stream.error(new Error('gone'));
			},
		}),
	);
	const { asked, saved } = serve(() => answer);
	render(<WholeArchive />);
	await make();
	expect((await screen.findByRole('alert')).textContent).toMatch(/broke off before its end/);

	await userEvent.click(checkbox());
	const field = screen.getByLabelText<HTMLInputElement>('Passphrase that seals the secret');
	await userEvent.type(field, 'too short');
	await make();
	expect((await screen.findByRole('alert')).textContent).toMatch(/at least 12 characters/);
	expect(asked).toHaveLength(1);

	await userEvent.type(field, ', but longer');
	answer = Response.json({ error: { code: 'server', message: 'Not now.' } }, { status: 500 });
	await make();
	await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Not now.'));
	expect(asked[1]).toEqual({ passphrase: 'too short, but longer' });
	expect(field.value).toBe('too short, but longer');
	expect(saved).toEqual([]);
});
