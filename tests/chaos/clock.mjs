// Preloaded into the server and its builds: a clock that is wrong by the milliseconds that the file CHAOS_CLOCK holds.
import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';

const file = process.env.CHAOS_CLOCK;
const RealDate = Date;
let wrongBy = 0;
const read = () => {
	try {
		wrongBy = Number(readFileSync(file, 'utf8')) || 0;
	} catch {
		wrongBy = 0;
	}
};
if (file) {
	read();
	setInterval(read, 100).unref();
	globalThis.Date = class extends RealDate {
		constructor(...given) {
			if (given.length > 0) super(...given);
			else super(RealDate.now() + wrongBy);
		}
		static now() {
			return RealDate.now() + wrongBy;
		}
	};
}
