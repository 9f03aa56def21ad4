// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TagField } from './Details.tsx';

let tags: string[] = [];
function Tags({ start = [] }: { start?: string[] }) {
	const [given, setGiven] = useState(start);
	tags = given;
	return <TagField tags={given} onChange={setGiven} />;
}

beforeEach(() => {
	vi.stubGlobal('fetch', async (url: string) => {
		const q = new URL(url, 'http://x').searchParams.get('q') ?? '';
		const all = [
			{ id: '1', name: 'Drift', slug: 'drift', posts: 4 },
			{ id: '2', name: 'Drills', slug: 'drills', posts: 1 },
		];
		return Response.json(all.filter(({ slug }) => slug.includes(q.toLowerCase())));
	});
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const field = () => screen.getByRole('combobox', { name: 'Tags' });

test('Enter and a comma add what was typed, each tag once', async () => {
	render(<Tags />);
	await userEvent.type(field(), 'New one,Another{Enter}new-ONE{Enter}');
	expect(tags).toEqual(['New one', 'Another']);
});

test('tags in use are offered, and chosen by arrows', async () => {
	render(<Tags />);
	await userEvent.type(field(), 'dri');
	expect(await screen.findByRole('option', { name: /Drift/ })).toBeDefined();
	expect(field().getAttribute('aria-expanded')).toBe('true');
	await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
	expect(tags).toEqual(['Drills']);
});

test('what is taken already is not offered', async () => {
	render(<Tags start={['drift']} />);
	await userEvent.type(field(), 'dri');
	expect(await screen.findByRole('option', { name: /Drills/ })).toBeDefined();
	expect(screen.queryByRole('option', { name: /Drift/ })).toBeNull();
});

test('Backspace in an empty field takes the last one off; its cross takes off one', async () => {
	render(<Tags start={['a', 'b', 'c']} />);
	await userEvent.click(field());
	await userEvent.keyboard('{Backspace}');
	expect(tags).toEqual(['a', 'b']);
	await userEvent.click(screen.getByRole('button', { name: 'Remove a' }));
	expect(tags).toEqual(['b']);
});

test('what was typed is not lost when the field is left', async () => {
	render(<Tags />);
	await userEvent.type(field(), 'Half');
	await userEvent.tab();
	expect(tags).toEqual(['Half']);
});

test('a list that was pasted becomes tags, each once', async () => {
	render(<Tags start={['drift']} />);
	await userEvent.click(field());
	await userEvent.paste('rag, Drift, evals,, RAG');
	await userEvent.keyboard('{Enter}');
	expect(tags).toEqual(['drift', 'rag', 'evals']);
});
