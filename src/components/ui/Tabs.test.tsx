// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { nextTab } from './tabs.ts';
import { Tabs } from './Tabs.tsx';

afterEach(cleanup);

function Demo() {
	const [selected, setSelected] = useState('a');
	return (
		<Tabs
			label="Letters"
			selected={selected}
			onSelect={setSelected}
			tabs={[
				{ id: 'a', label: 'A', content: <input aria-label="Field of A" /> },
				{ id: 'b', label: 'B', content: 'Content of B' },
				{ id: 'c', label: 'C', content: 'Content of C' },
			]}
		/>
	);
}

test.each([
	['ArrowRight', 0, 1],
	['ArrowRight', 2, 0],
	['ArrowLeft', 0, 2],
	['ArrowLeft', 2, 1],
	['Home', 2, 0],
	['End', 0, 2],
	['a', 0, null],
])('%s on tab %i of 3 leads to %s', (key, index, next) => {
	expect(nextTab(key, index, 3)).toBe(next);
});

test('keys choose, only the chosen tab is a stop, and what was typed elsewhere stays', async () => {
	render(<Demo />);
	await userEvent.type(screen.getByLabelText('Field of A'), 'kept');
	await userEvent.click(screen.getByRole('tab', { name: 'A' }));
	await userEvent.keyboard('{ArrowRight}');
	const second = screen.getByRole('tab', { name: 'B', selected: true });
	expect(document.activeElement).toBe(second);
	expect(screen.getAllByRole('tab').map((tab) => tab.tabIndex)).toEqual([-1, 0, -1]);
	expect(screen.getByRole('tabpanel', { name: 'B' }).textContent).toBe('Content of B');
	await userEvent.keyboard('{Home}');
	expect(screen.getByLabelText<HTMLInputElement>('Field of A').value).toBe('kept');
});
