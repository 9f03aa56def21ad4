/** Percentages from the left and from the top. */
export type Point = { left: number; top: number };

export function pointOf(focus: string): Point {
	const [left, top] = focus.split(' ').map((part) => Number.parseInt(part, 10));
	return { left: left!, top: top! };
}

export const focusOf = ({ left, top }: Point) => `${left}% ${top}%`;

/** Returns where in a box somebody pressed, as whole percentages. */
export function pressedPoint(
	{ clientX, clientY }: { clientX: number; clientY: number },
	box: Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>,
): Point {
	const part = (at: number, length: number) =>
		Math.round(Math.min(1, Math.max(0, length > 0 ? at / length : 0.5)) * 100);
	return { left: part(clientX - box.left, box.width), top: part(clientY - box.top, box.height) };
}
