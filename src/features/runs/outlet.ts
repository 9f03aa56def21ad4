import { LIMITS, type Report } from './protocol.ts';

/** Characters that are sent at once, and milliseconds after which fewer are. */
const PIECE = { length: 16_000, ms: 50 };

/** Sends what a program prints in pieces, block by block, up to the limit of each. */
export class Outlet {
	#block = 0;
	#kept = '';
	#length = 0;
	#sentAt = 0;
	readonly #send: (report: Report) => void;

	constructor(send: (report: Report) => void) {
		this.#send = send;
	}

	/** The block that prints. */
	get block(): number {
		return this.#block;
	}

	/** Sends what is left of a block, and begins another. */
	begin(block: number): void {
		this.flush();
		this.#block = block;
		this.#length = 0;
	}

	write(text: string): void {
		if (this.#length > LIMITS.output) return;
		this.#length += text.length;
		this.#kept += text;
		if (this.#length > LIMITS.output) {
			this.#kept = this.#kept.slice(0, this.#kept.length - (this.#length - LIMITS.output));
			this.flush();
			this.#send({ kind: 'flood', block: this.#block });
		} else if (this.#kept.length > PIECE.length || Date.now() - this.#sentAt > PIECE.ms) {
			this.flush();
		}
	}

	flush(): void {
		if (this.#kept === '') return;
		this.#send({ kind: 'printed', block: this.#block, text: this.#kept });
		this.#kept = '';
		this.#sentAt = Date.now();
	}
}
