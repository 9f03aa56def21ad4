// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Steady } from './Steady.tsx';

afterEach(() => {
	cleanup();
	vi.restoreAllMocks();
});

/** Renders twice, with the part first at one and then at another place in a window of 768, and returns how far the page was scrolled. */
function scrolled(before: number, after: number): number {
	let top = before;
	vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(
		() => ({ top }) as DOMRect,
	);
	const scroll = vi.spyOn(window, 'scrollBy').mockImplementation(() => {});
	// What is above has grown once it is drawn for the second time.
	const Page = ({ isGrown }: { isGrown: boolean }) => (
		<>
			<p ref={() => void (isGrown && (top = after))}>Comments</p>
			<Steady>Form</Steady>
		</>
	);
	const { rerender } = render(<Page isGrown={false} />);
	rerender(<Page isGrown />);
	return (scroll.mock.calls[0]?.[0] as { top: number } | undefined)?.top ?? 0;
}

test.each([
	['in sight', 300, 940, 640],
	['above the window', -50, 100, 150],
	['below the window', 768, 900, 0],
	['that does not move', 300, 300, 0],
])('a part %s: %i becomes %i, and the page is scrolled by %i', (_where, before, after, by) => {
	expect(scrolled(before, after)).toBe(by);
});
