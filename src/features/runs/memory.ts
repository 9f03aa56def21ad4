import { LIMITS } from './protocol.ts';

/** Smaller pieces are not counted: they are taken back before they add up. */
const LARGE = 1024 * 1024;
const WASM_PAGE = 65_536;

const tooMuch = () => new RangeError('A program has 1 GB of memory here.');

/** Makes the memory of WebAssembly, in which Python lives, grow up to the limit only. */
export function limitWasmMemory(): void {
	const { prototype } = WebAssembly.Memory;
	const grow: (this: WebAssembly.Memory, pages: number) => number = Reflect.get(prototype, 'grow');
	prototype.grow = function (pages: number) {
		if (this.buffer.byteLength + pages * WASM_PAGE > LIMITS.memory) throw tooMuch();
		return grow.call(this, pages);
	};
}

/**
 * Refuses large buffers, arrays and texts beyond the limit, all of them together. No browser says how much memory a worker
 * uses: what grows in small pieces ends at the limit of its process, which is not the page's.
 */
export function limitMemory(): void {
	let asked = 0;
	const ask = (bytes: number) => {
		if (!(bytes >= LARGE)) return;
		asked += bytes;
		if (asked > LIMITS.memory) throw tooMuch();
	};
	const scope = globalThis as unknown as Record<string, SizedConstructor>;
	const guard = (name: string, bytesPerItem: number) => {
		const original = scope[name]!;
		const count = ([size]: unknown[]) => ask(lengthOf(size) * bytesPerItem);
		scope[name] = new Proxy(original, {
			construct(target, args, called) {
				count(args);
				return Reflect.construct(target, args, called) as object;
			},
			apply(target, self, args) {
				count(args);
				return Reflect.apply(target, self, args) as unknown;
			},
		});
	};
	for (const [name, value] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
		const { BYTES_PER_ELEMENT } = (value.value ?? {}) as Partial<SizedConstructor>;
		if (BYTES_PER_ELEMENT !== undefined) guard(name, BYTES_PER_ELEMENT);
	}
	guard('ArrayBuffer', 1);
	guard('Array', 8);
	const repeat: (this: string, count: number) => string = Reflect.get(String.prototype, 'repeat');
	String.prototype.repeat = function (count) {
		ask(this.length * count);
		return repeat.call(String(this), count);
	};
}

type SizedConstructor = {
	new (...args: unknown[]): object;
	(...args: unknown[]): object;
	BYTES_PER_ELEMENT: number;
};

/** Returns how many items are asked for by a number or by a list of them; a buffer is there already. */
function lengthOf(size: unknown): number {
	if (typeof size === 'number') return size;
	return Array.isArray(size) || ArrayBuffer.isView(size) ? (size as Uint8Array).length : 0;
}
