import {
	at,
	dot,
	hue,
	ink,
	path,
	tint,
	type Point,
	type Random,
} from '#src/features/covers/pen.ts';
import { around, range, type Art, type Brush } from './family.ts';

/** A floor of squares seen by one eye: posts of one height, and how much smaller the far one is. */
export function perspective(random: Random, { weight, fine }: Brush): Art {
	const horizon = random.between(190, 270);
	const eye = random.between(380, 820);
	const near = 800;
	/** A place of the floor in the picture: to the side and away, in squares. */
	const seen = (side: number, away: number): Point => [
		eye + (side * 300) / away,
		horizon + (near - horizon) / away,
	];
	const tall = random.between(1.5, 2.1);
	const scale = (away: number) => (near - horizon) / away;
	const sides = range(fine ? 33 : 17).map((n) => (fine ? n - 16 : 2 * (n - 8)));
	const depths = range(fine ? 15 : 8).map((n) => 1.25 + n * (fine ? 0.55 : 1.1));
	const posts = range(5).map((n) => ({
		side: (n % 2 === 0 ? -1 : 1) * random.between(0.8, 1.3) * (0.8 + n * 0.45),
		away: 1.7 + n * random.between(0.75, 0.95),
	}));
	const far = posts.at(-1)!;
	const heightOf = (away: number) => Math.min(scale(away) * tall * 0.62, 520);
	const top = ({ side, away }: { side: number; away: number }): Point => {
		const [x, y] = seen(side, away);
		return [x, Math.max(40, y - heightOf(away))];
	};
	const post = (one: { side: number; away: number }) => {
		const [x, y] = seen(one.side, one.away);
		return `${at('M', x, y)}${at('V', top(one)[1])}`;
	};
	const nearest = posts[0]!;
	const lines = [far, nearest].map((one) => at('M', ...top(one)) + at('L', eye, horizon)).join('');
	const [farX, farY] = seen(far.side, far.away);
	return {
		layers:
			path(tint(0.09), `${at('M', 0, horizon)}H1200V630H0z`) +
			path(
				hue(1.3 * weight, 0.6),
				sides.map((side) => at('M', eye, horizon) + at('L', eye + side * 260, 640)).join(''),
			) +
			path(
				hue(1.3 * weight, 0.75),
				depths.map((away) => `${at('M', 0, seen(0, away)[1])}H1200`).join(''),
			) +
			path(hue(2.6 * weight), `${at('M', 0, horizon)}H1200`) +
			path(`${hue(1.4 * weight)} stroke-dasharray="3 8"`, lines) +
			posts
				.slice(0, -1)
				.map((one) =>
					path(`${hue(Math.max(6, 46 / one.away), 0.9)} stroke-linecap="butt"`, post(one)),
				)
				.join('') +
			path(hue(9 * weight), dot(eye, horizon)) +
			path(`${ink(14)} stroke-linecap="butt"`, post(far)) +
			path(ink(24), dot(...top(far))) +
			path(ink(3 * weight), `${at('M', farX - 40, farY)}h80`),
		focus: around(
			[Math.min(1120, Math.max(80, farX)), (farY + top(far)[1]) / 2],
			Math.max(90, farY - top(far)[1] + 50),
		),
		label: `1 : ${(far.away / nearest.away).toFixed(1)}`,
	};
}
