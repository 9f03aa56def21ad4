// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useActions } from './useActions.ts';

afterEach(cleanup);

test('rows that a list no longer shows are no longer chosen', () => {
	const { result, rerender } = renderHook(({ shown }) => useActions(() => {}, shown), {
		initialProps: { shown: { q: '', page: 1 } },
	});
	act(() => result.current.setSelected(new Set(['a', 'b'])));
	rerender({ shown: { q: '', page: 1 } });
	expect(result.current.selected.size).toBe(2);
	rerender({ shown: { q: '', page: 2 } });
	expect(result.current.selected.size).toBe(0);
	act(() => result.current.setSelected(new Set(['c'])));
	rerender({ shown: { q: 'ada', page: 1 } });
	expect(result.current.selected.size).toBe(0);
});
