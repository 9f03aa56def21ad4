/**
 * Sends email from a process of its own, which outlives the server: where the server is killed, what it had handed over is
 * sent to the end and kept as accepted, and the next server does not send it again. Run as a program, it is that process.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { acceptedDeliveries } from '#src/core/outbox/accepted.server.ts';
import type { AcceptedDeliveries } from '#src/core/outbox/outbox.ts';
import { OutageError, PermanentError } from '#src/core/outbox/outbox.ts';
import {
	BounceError,
	openTransport,
	type Email,
	type Transport,
} from '#src/core/outbox/transport.server.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { startLog } from '#src/core/start-log.server.ts';
import { getEnv } from '#src/lib/env.ts';

/** How long the process stays when there is nothing to send. */
const IDLE_MS = MINUTE;

const NOT_RUNNING = 'The process that sends email is not running.';

/** Message to the process: an email to send, or that its connections are not needed for now. */
type Order = { email: Email } | 'rest';
/** Its answer to an email, and before all that it has started. */
type Answer = { id: string; failure?: Failure };
const READY = 'ready';
type Failure = { name: string; message: string; isGone?: boolean };

/** Returns a transport by a process, which starts with the first email and ends when there was none for a minute. */
export function mailProcess(accepted: AcceptedDeliveries): Transport {
	let child: ChildProcess | undefined;
	/** Settles when the process has started, which takes seconds on a busy machine. */
	let ready = Promise.withResolvers<void>();
	let opening = 0;
	let idleTimer: NodeJS.Timeout | undefined;
	const waiting = new Map<string, PromiseWithResolvers<void>>();

	function start(): ChildProcess {
		const { promise, resolve: isReady, reject: fail } = (ready = Promise.withResolvers<void>());
		promise.catch(() => {});
		const started = fork(import.meta.filename, {
			// As fast as by default, with 180 MB instead of 310.
			execArgv: ['--max-semi-space-size=2'],
			stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
		});
		started.on('error', console.error).on('message', (answer: Answer | typeof READY) => {
			if (answer === READY) return isReady();
			const { id, failure } = answer;
			if (failure) waiting.get(id)?.reject(toError(failure));
			else waiting.get(id)?.resolve();
		});
		return started.once('close', () => {
			fail(new OutageError(NOT_RUNNING));
			if (child !== started) return;
			child = undefined;
			for (const [id, { resolve, reject }] of waiting) {
				if (accepted.has(id)) resolve();
				else reject(new Error('The process that sends email ended.'));
			}
		});
	}

	/** Returns the process, which stays now. */
	function use(): ChildProcess {
		clearTimeout(idleTimer);
		idleTimer = undefined;
		child ??= start();
		// There were no file descriptors left for it, or it has just ended.
		if (!child.connected) throw new OutageError(NOT_RUNNING);
		child.ref();
		child.channel?.ref();
		return child;
	}

	return {
		async open() {
			use();
			opening++;
			await ready.promise.finally(() => opening--);
		},
		async send(email) {
			const sending = use();
			const answer = Promise.withResolvers<void>();
			waiting.set(email.id, answer);
			sending.send({ email } satisfies Order, (error) => error && answer.reject(error));
			await answer.promise.finally(() => waiting.delete(email.id));
		},
		close() {
			// Workers share the process: another one may still be sending.
			if (!child?.connected || waiting.size + opening > 0) return;
			child.send('rest' satisfies Order, () => {});
			child.unref();
			child.channel?.unref();
			idleTimer ??= setTimeout(() => {
				idleTimer = undefined;
				child?.disconnect();
				child = undefined;
			}, IDLE_MS).unref();
		},
	};
}

function toError({ name, message, isGone }: Failure): Error {
	if (name === 'BounceError') return new BounceError(message, Boolean(isGone));
	if (name === 'PermanentError') return new PermanentError(message);
	return name === 'OutageError' ? new OutageError(message) : new Error(message);
}

if (import.meta.main) {
	// Ctrl+C and service managers tell every process; this one ends when the server is gone and all is sent.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
	const env = getEnv();
	await startLog(2);
	const transport = openTransport(env)!;
	const accepted = acceptedDeliveries(env)!;
	const sending = new Set<Promise<void>>();
	const send = async (email: Email) => {
		// Removes what an earlier attempt may have left.
		accepted.delete(email.id);
		const failure = await transport.send(email).then(
			() => void accepted.add(email.id),
			({ name, message, isGone }: BounceError): Failure => ({ name, message, isGone }),
		);
		const answer: Answer = { id: email.id, ...(failure && { failure }) };
		if (process.connected) process.send!(answer, undefined, undefined, () => {});
	};
	process.on('message', (order: Order) => {
		if (order === 'rest') return transport.close();
		const sent = send(order.email).finally(() => sending.delete(sent));
		sending.add(sent);
	});
	process.on('disconnect', () => void Promise.all(sending).then(() => process.exit()));
	if (process.connected) process.send!(READY, undefined, undefined, () => {});
}
