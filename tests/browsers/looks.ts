/** Where a page's landmarks are, whatever its fonts look like. */
export type Looks = {
	height: number;
	/** Pixels that go beyond the right edge. */
	beyond: number;
	boxes: { name: string; left: number; top: number; width: number }[];
};

/** Reads a page, in the page: after its fonts, what wakes at its beginning, and what that asks the server. */
export async function readLooks(): Promise<Looks> {
	await document.fonts.ready;
	const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go, 50)));
	const root = document.documentElement;
	// Parts below the window load when they are scrolled to.
	const isComing = () =>
		[...document.querySelectorAll('.skeleton')].some(
			(row) => row.checkVisibility() && row.getBoundingClientRect().top < innerHeight,
		);
	const end = Date.now() + 60_000;
	// It is still when it has one height for half a second, and nothing is waited for.
	for (let still = 0, height = 0; still < 10; still++) {
		if (Date.now() > end) throw new Error('The page is never still.');
		if (root.scrollHeight !== height || isComing()) still = 0;
		height = root.scrollHeight;
		await frame();
	}
	const parts = 'header, main, footer, h1, h2, h3, figure, form, table, img';
	const boxes = [...document.querySelectorAll(parts)]
		.filter((element) => element.checkVisibility() && !element.closest('[role=dialog], .overlay'))
		.map((element) => {
			const { left, top, width } = element.getBoundingClientRect();
			const words = /^h\d$/i.test(element.tagName)
				? ` “${element.textContent.trim().slice(0, 30)}”`
				: '';
			return {
				name: element.localName + words,
				left: Math.round(left),
				top: Math.round(top + scrollY),
				width: Math.round(width),
			};
		});
	return {
		height: root.scrollHeight,
		beyond: Math.max(0, root.scrollWidth - root.clientWidth),
		boxes,
	};
}

/** How far a landmark may be from where another browser has it: sideways, and of the page's height. */
const ASIDE = 12;
const BELOW = 0.03;
/** Share by which what is as wide as its letters differs: Chromium rounds the width of each one. */
const LETTERS = 0.06;

/** Returns how a page differs from what another browser made of it. */
export function differencesOf(first: Looks, look: Looks): string[] {
	const said: string[] = [];
	if (look.beyond > 0) said.push(`${look.beyond} pixels wider than the window`);
	const names = ({ boxes }: Looks) => boxes.map(({ name }) => name);
	const [known, found] = [names(first), names(look)];
	const lost = known.filter((name) => !found.includes(name));
	if (lost.length > 0 || known.length !== found.length)
		return [
			...said,
			`${found.length} landmarks instead of ${known.length}: without ${lost.join(', ')}`,
		];
	const down = 24 + BELOW * first.height;
	if (Math.abs(first.height - look.height) > down)
		said.push(`${look.height} pixels high instead of ${first.height}`);
	for (const [index, box] of look.boxes.entries()) {
		const other = first.boxes[index]!;
		const aside = Math.max(Math.abs(box.left - other.left), Math.abs(box.width - other.width));
		const isAsWide = /^(figure|table)/.test(box.name) ? LETTERS * other.width : 0;
		if (aside > ASIDE + isAsWide || Math.abs(box.top - other.top) > down)
			said.push(`${box.name} at ${where(box)} instead of ${where(other)}`);
	}
	return said;
}

const where = ({ left, top, width }: Looks['boxes'][number]) => `${left}, ${top}, ${width} wide`;
