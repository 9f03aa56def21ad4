/** Makes PNG files of drawings. Run as a program, it makes one, which ends with the program if it takes too long. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import sharp from 'sharp';

/** Seconds of processor time for a drawing of somebody else's: what a library does with it cannot be stopped otherwise. */
const MAX_SECONDS = 2;

/** Returns a drawing as a PNG on paper, this many pixels wide. */
export function toPng(svg: string, pixels: number, density: number): Promise<Buffer> {
	return sharp(Buffer.from(svg), { density })
		.resize({ width: pixels })
		.flatten({ background: '#ffffff' })
		.png({ palette: true, colors: 64, dither: 0, effort: 7, compressionLevel: 9 })
		.toBuffer();
}

/** Does the same in a process of its own, which may take two seconds. */
export async function toPngApart(svg: string, pixels: number, density: number): Promise<Buffer> {
	const args = [import.meta.filename, String(pixels), String(density)];
	const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
	// It may end before it has read all.
	child.stdin.on('error', () => {}).end(svg);
	const [png] = await Promise.all([buffer(child.stdout), once(child, 'close')]);
	if (child.exitCode !== 0) throw new Error('it takes too long to draw, or cannot be drawn');
	return png;
}

if (import.meta.main) {
	const [pixels, density] = process.argv.slice(2).map(Number);
	const svg = await text(process.stdin);
	const start = process.cpuUsage();
	setInterval(() => {
		const { user, system } = process.cpuUsage(start);
		if (user + system > MAX_SECONDS * 1e6) process.kill(process.pid, 'SIGKILL');
	}, 50).unref();
	process.stdout.write(await toPng(svg, pixels!, density!));
}
