// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Category } from '#src/features/categories/category.ts';
import { CategoryField } from './CategoryField.tsx';

const ONE = { id: 'c1', slug: 'vision', name: 'Vision', description: null, color: '#0e7490' };

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

function Article() {
	const [value, setValue] = useState('c1');
	const [categories, setCategories] = useState<Category[]>([ONE]);
	return (
		<CategoryField
			value={value}
			categories={categories}
			error={undefined}
			onChange={setValue}
			onCreated={(made) => setCategories((all) => [...all, made])}
		/>
	);
}

const list = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Category' });
const chosen = () => list().selectedOptions[0]!.textContent;
const name = () => screen.queryByRole<HTMLInputElement>('textbox');

test('a new one is made by its name, and chosen', async () => {
	const sent: unknown[] = [];
	let isTaken = true;
	vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
		sent.push(JSON.parse(body));
		if (!isTaken) return Response.json({ ...ONE, id: 'c2', name: 'Robotics', slug: 'robotics' });
		const fields = { name: 'There is one of this name.' };
		return Response.json({ error: { code: 'validation', message: 'No', fields } }, { status: 400 });
	});
	render(<Article />);
	await userEvent.selectOptions(list(), 'New category…');
	await userEvent.type(name()!, 'Robotics{Enter}');
	expect(await screen.findByText('There is one of this name.')).toBeDefined();
	expect(name()!.value).toBe('Robotics');
	isTaken = false;
	await userEvent.click(screen.getByRole('button', { name: 'Create' }));
	await vi.waitFor(() => expect(chosen()).toBe('Robotics'));
	expect(name()).toBeNull();
	expect(sent.at(-1)).toEqual({ name: 'Robotics' });
});

test('Escape leaves the article where it was', async () => {
	vi.stubGlobal('fetch', () => Promise.reject(new Error('nothing is sent')));
	render(<Article />);
	await userEvent.selectOptions(list(), 'New category…');
	await userEvent.type(name()!, 'Rob{Escape}');
	expect([chosen(), name(), document.activeElement]).toEqual(['Vision', null, list()]);
});
