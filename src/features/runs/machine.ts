import type { RunLanguage } from '#src/core/articles/program.ts';
import { FRAME_PATH, type FrameOrder } from './frame.ts';
import type { Order, Report } from './protocol.ts';

/**
 * How a run ended. `lost`: its process is gone, because it took too much memory; `slow`: the machine was too slow to start
 * it.
 */
export type Outcome =
	| { kind: 'done' | 'flood' | 'stopped' | 'lost' | 'slow' }
	| Extract<Report, { kind: 'failed' | 'exited' }>;

/** Milliseconds for the frame to load, and then for the worker in it to start, which a busy machine makes slow. */
const PATIENCE = { load: 60_000, start: 180_000 };

/** Everything was loaded, but the machine was too slow to start it in time. */
export class SlowStart extends Error {}

/** Milliseconds between two questions whether the frame's process is there, and how many may stay without an answer. */
const PULSE = { ms: 1000, missed: 10 };

/** A sandboxed frame with a worker that runs one program. Nothing that runs in it outlives the frame. */
export class Machine {
	readonly frame: HTMLIFrameElement;
	readonly #port: MessagePort;
	#listener: ((report: Report | Outcome) => void) | undefined;

	/** Use `Machine.start`. */
	constructor(frame: HTMLIFrameElement, port: MessagePort) {
		this.frame = frame;
		this.#port = port;
		port.onmessage = ({ data }: MessageEvent<Report>) => this.#listener?.(data);
	}

	/** Opens a frame in an element and waits until its worker can run programs. Throws if it cannot be loaded. */
	static async start(
		language: RunLanguage,
		place: Element,
		onProgress: (share: number) => void,
		signal?: AbortSignal,
	): Promise<Machine> {
		const frame = place.ownerDocument.createElement('iframe');
		frame.setAttribute('sandbox', 'allow-scripts');
		frame.title = 'Program';
		frame.hidden = true;
		frame.src = FRAME_PATH;
		const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
		place.append(frame);
		const { port1, port2 } = new MessageChannel();
		const machine = new Machine(frame, port1);
		try {
			const order = await until(orderOf(language, onProgress), signal);
			await until(loaded, signal, PATIENCE.load, new Error(`${FRAME_PATH} does not load`));
			const ready = machine.#next((report) => report.kind === 'ready');
			frame.contentWindow?.postMessage(order, '*', [port2, ...Object.values(order.files)]);
			await until(ready, signal, PATIENCE.start, new SlowStart('It does not start'));
			return machine;
		} catch (error) {
			machine.end();
			throw error;
		}
	}

	/** Runs blocks, and passes on what each prints as it comes. */
	async run(order: Order, onPrint: (block: number, text: string) => void): Promise<Outcome> {
		const ended = this.#next<Outcome>((report) => {
			if (report.kind === 'printed') onPrint(report.block, report.text);
			return report.kind !== 'printed' && report.kind !== 'ready';
		});
		this.#port.postMessage(order);
		const stopWatching = this.#watch();
		return ended.finally(stopWatching);
	}

	/** Watches whether the frame answers: a process that took too much memory ends without a word. */
	#watch(): () => void {
		let missed = 0;
		const timer = setInterval(() => {
			if (++missed > PULSE.missed) this.#listener?.({ kind: 'lost' });
			const { port1, port2 } = new MessageChannel();
			port1.onmessage = () => {
				missed = 0;
				port1.close();
			};
			this.frame.contentWindow?.postMessage({}, '*', [port2]);
		}, PULSE.ms);
		return () => clearInterval(timer);
	}

	/** Ends whatever runs, at once. */
	end(): void {
		this.frame.remove();
		this.#listener?.({ kind: 'stopped' });
		this.#port.close();
	}

	/** Waits for a report that is the last one. */
	#next<Last>(isLast: (report: Report | Outcome) => boolean): Promise<Last> {
		return new Promise((resolve) => {
			this.#listener = (report) => {
				if (!isLast(report)) return;
				this.#listener = undefined;
				resolve(report as Last);
			};
		});
	}
}

/** Waits for work, or throws as soon as it is given up, by the signal or after a time. */
function until<Result>(
	work: Promise<Result>,
	signal: AbortSignal | undefined,
	limit?: number,
	late?: Error,
): Promise<Result> {
	return new Promise((resolve, reject) => {
		const giveUp = () => reject(signal!.reason as Error);
		if (signal?.aborted) return giveUp();
		signal?.addEventListener('abort', giveUp, { once: true });
		const timer = limit === undefined ? undefined : setTimeout(() => reject(late!), limit);
		work.then(resolve, reject).finally(() => clearTimeout(timer));
	});
}

async function orderOf(
	language: RunLanguage,
	onProgress: (share: number) => void,
): Promise<FrameOrder> {
	if (language === 'js') {
		const { default: code } = await import('./js.worker.ts?script');
		return { code, files: {} };
	}
	const { loadPython } = await import('./python-files.ts');
	const [{ default: code }, files] = await Promise.all([
		import('./python.worker.ts?script'),
		loadPython(onProgress),
	]);
	return { code, files };
}
