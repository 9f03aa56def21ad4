// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { DataTable, type Column } from './DataTable.tsx';

afterEach(cleanup);

type Row = { id: string; name: string };
const columns: Column<Row>[] = [
	{ key: 'name', label: 'Name', sortable: true, cell: ({ name }) => name },
	{ key: 'id', label: 'Id', cell: ({ id }) => id },
];
const rows = ['Ada', 'Grace', 'Alan'].map((name, index) => ({ id: String(index), name }));
const page = { rows, total: 60, page: 2, pageSize: 25 };

function table(props: object = {}) {
	const told = { onSort: vi.fn(), onPage: vi.fn(), onRetry: vi.fn() };
	function Demo() {
		const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
		return (
			<DataTable
				label="People"
				columns={columns}
				page={page}
				loading={false}
				error={undefined}
				empty={<p>Nobody is here.</p>}
				idOf={({ id }: Row) => id}
				nameOf={({ name }: Row) => name}
				sort="name"
				selected={selected}
				onSelect={setSelected}
				{...told}
				{...props}
			/>
		);
	}
	render(<Demo />);
	return told;
}

test('headers say how the list is sorted, and ask for the other way', async () => {
	const { onSort } = table();
	const header = screen.getByRole('columnheader', { name: /Name/ });
	expect(header.getAttribute('aria-sort')).toBe('ascending');
	expect(screen.getByRole('columnheader', { name: 'Id' }).hasAttribute('aria-sort')).toBe(false);
	await userEvent.click(within(header).getByRole('button'));
	expect(onSort).toHaveBeenCalledExactlyOnceWith('-name');
	cleanup();
	const descending = table({ sort: '-name' });
	await userEvent.click(screen.getByRole('button', { name: /Name/ }));
	expect(descending.onSort).toHaveBeenCalledExactlyOnceWith('name');
});

test('rows are chosen one by one and all at once, and some is neither', async () => {
	table();
	const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'All rows of this page' });
	await userEvent.click(screen.getByRole('checkbox', { name: 'Grace' }));
	expect([all.checked, all.indeterminate]).toEqual([false, true]);
	await userEvent.click(all);
	expect([all.checked, all.indeterminate]).toEqual([true, false]);
	expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Ada' }).checked).toBe(true);
	await userEvent.click(all);
	expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Grace' }).checked).toBe(false);
});

test('J and K go from row to row in the same column, X chooses, and words are typed', async () => {
	const field: Column<Row> = {
		key: 'note',
		label: 'Note',
		cell: ({ name }) => (
			<>
				<button type="button">Open {name}</button>
				<input type="text" aria-label={`Note on ${name}`} />
			</>
		),
	};
	table({ columns: [...columns, field] });
	const checkbox = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
	const focused = () => document.activeElement;
	const button = (name: string) => screen.getByRole('button', { name: `Open ${name}` });
	button('Ada').focus();
	await userEvent.keyboard('jj');
	expect(focused()).toBe(button('Alan'));
	await userEvent.keyboard('jk');
	expect(focused()).toBe(button('Grace'));
	await userEvent.keyboard('x');
	expect(checkbox('Grace').checked).toBe(true);
	await userEvent.keyboard('j{Shift>}X{/Shift}');
	expect(checkbox('Alan').checked).toBe(true);
	await userEvent.keyboard('kx');
	expect([checkbox('Grace').checked, checkbox('Ada').checked]).toEqual([false, false]);
	const note = screen.getByRole<HTMLInputElement>('textbox', { name: 'Note on Grace' });
	await userEvent.type(note, 'jkx');
	expect([note.value, focused(), checkbox('Grace').checked]).toEqual(['jkx', note, false]);
});

test('Shift chooses the rows between, or lets go of them', async () => {
	table();
	const user = userEvent.setup();
	const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
	const chosen = () => rows.filter(({ name }) => box(name).checked).map(({ name }) => name);
	await user.keyboard('{Shift>}');
	await user.click(box('Alan'));
	expect(chosen()).toEqual(['Alan']);
	await user.click(box('Ada'));
	expect(chosen()).toEqual(['Ada', 'Grace', 'Alan']);
	await user.click(box('Grace'));
	expect(chosen()).toEqual(['Alan']);
	await user.keyboard('{/Shift}');
	await user.click(box('Ada'));
	expect(chosen()).toEqual(['Ada', 'Alan']);
});

test('pages are asked for by their numbers and by their neighbors', async () => {
	const { onPage } = table();
	expect(screen.getByRole('button', { name: 'Page 2' }).getAttribute('aria-current')).toBe('page');
	for (const name of ['Previous', 'Page 3', 'Next']) {
		await userEvent.click(screen.getByRole('button', { name }));
	}
	expect(onPage.mock.calls).toEqual([[1], [3], [3]]);
});

test('before the first answer there are rows to wait by, and a failure can be tried again', async () => {
	table({ page: undefined });
	expect(screen.getByRole('status', { name: 'Loading people' })).toBeTruthy();
	expect(screen.queryByRole('table')).toBeNull();
	cleanup();
	const { onRetry } = table({ error: 'The server took too long to answer.' });
	expect(screen.getByRole('alert').textContent).toContain('too long');
	await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
	expect(onRetry).toHaveBeenCalledOnce();
});

test('an empty list says so, and one page has no others', () => {
	table({ page: { rows: [], total: 0, page: 1, pageSize: 25 } });
	expect(screen.getByText('Nobody is here.')).toBeTruthy();
	expect(screen.queryByRole('table')).toBeNull();
	expect(screen.queryByRole('navigation')).toBeNull();
});

test('a filter that leaves nothing can be taken away where one sees it', async () => {
	const onShowAll = vi.fn();
	table({ page: { rows: [], total: 0, page: 1, pageSize: 25 }, onShowAll });
	expect(screen.queryByText('Nobody is here.')).toBeNull();
	await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
	expect(onShowAll).toHaveBeenCalledOnce();
});
