/** The loss ½(x² + curvature·y²): flat along x, steep along y. */
export type Descent = { curvature: number; rate: number; momentum: number };
export type Point = readonly [x: number, y: number];

export const START: Point = [10, 1];

export function loss([x, y]: Point, curvature: number): number {
	return (x * x + curvature * y * y) / 2;
}

/** The places after 0, 1, 2, … steps of gradient descent with heavy-ball momentum. */
export function path({ curvature, rate, momentum }: Descent, steps: number): Point[] {
	const points = [START];
	let [x, y] = START;
	let [vx, vy] = [0, 0];
	for (let step = 0; step < steps; step++) {
		vx = momentum * vx - rate * x;
		vy = momentum * vy - rate * curvature * y;
		x += vx;
		y += vy;
		points.push([x, y]);
	}
	return points;
}

/** The rate from which on the steep direction diverges: 2(1 + β)/λ. */
export function limit({ curvature, momentum }: Pick<Descent, 'curvature' | 'momentum'>): number {
	return (2 * (1 + momentum)) / curvature;
}

/** Polyak's pair for curvatures 1 and `curvature`. */
export function polyak(curvature: number): { rate: number; momentum: number } {
	const root = Math.sqrt(curvature);
	return { rate: 4 / (root + 1) ** 2, momentum: ((root - 1) / (root + 1)) ** 2 };
}
