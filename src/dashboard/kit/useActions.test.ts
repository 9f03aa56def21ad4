// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useActions } from './useActions.ts';

afterEach(cleanup);

const rowsOf = (...ids: string[]) => ids.map((id) => ({ id }));

test('rows that a list no longer shows are no longer chosen', () => {
	const { result, rerender } = renderHook(({ rows }) => useActions(() => {}, rows), {
		initialProps: { rows: rowsOf('a', 'b', 'c') },
	});
	act(() => result.current.setSelected(new Set(['a', 'b'])));
	rerender({ rows: rowsOf('a', 'b', 'c') });
	expect([...result.current.selected]).toEqual(['a', 'b']);
	rerender({ rows: rowsOf('b', 'd') });
	expect([...result.current.selected]).toEqual(['b']);
	rerender({ rows: rowsOf('a', 'b', 'c').slice(0, 1) });
	expect([...result.current.selected]).toEqual([]);
});
