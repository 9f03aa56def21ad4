import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Starts an SMTP server that throws mail away, in a process of its own. */
export async function startMailSink() {
	const sink = fork(new URL('mail-sink.ts', import.meta.url));
	const [{ port }] = (await once(sink, 'message')) as [{ port: number }];
	return {
		url: `smtp://127.0.0.1:${port}`,
		/** Returns how many emails it got. */
		async received(): Promise<number> {
			sink.send('count');
			const [{ received }] = (await once(sink, 'message')) as [{ received: number }];
			return received;
		},
		stop: () => sink.disconnect(),
	};
}
