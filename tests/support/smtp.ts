import PostalMime, { type Email } from 'postal-mime';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { PromptServer } from './prompt-server.ts';

/** An email as a real server received it. */
export type Received = { to: string; mail: Email; raw: string };

type Refusal = { code: number; message: string };
type Rules = {
	/** Refuses a recipient with this code. */
	recipient?: (address: string) => Refusal | undefined;
	/** Refuses a message after it was received. */
	message?: (address: string) => Refusal | false | undefined;
	/** Delays the answer to a message that was received. */
	beforeAnswer?: () => Promise<unknown>;
};

/** Starts a real SMTP server that keeps what it receives; it ends with the test. */
export async function startSmtp(rules: Rules = {}) {
	const received: Received[] = [];
	let connections = 0;
	const failure = ({ code, message }: Refusal) =>
		Object.assign(new Error(message), { responseCode: code });
	const server = new PromptServer({
		authOptional: true,
		disabledCommands: ['AUTH', 'STARTTLS'],
		logger: false,
		disableReverseLookup: true,
		onConnect(_session, done) {
			connections++;
			done();
		},
		onRcptTo({ address }, _session, done) {
			const refusal = rules.recipient?.(address);
			done(refusal && failure(refusal));
		},
		onData(stream, session, done) {
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => chunks.push(chunk));
			stream.on('end', () => {
				const to = session.envelope.rcptTo[0]!.address;
				const refusal = rules.message?.(to);
				if (refusal) return done(failure(refusal));
				const raw = Buffer.concat(chunks);
				PostalMime.parse(raw).then(async (mail) => {
					received.push({ to, mail, raw: raw.toString() });
					await rules.beforeAnswer?.();
					done();
				}, done);
			});
		},
	});
	server.on('error', () => {});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
	const { port } = server.server.address() as AddressInfo;
	return { url: `smtp://127.0.0.1:${port}`, received, connections: () => connections };
}

/** A header of a received mail. */
export const header = ({ mail }: Received, name: string) =>
	mail.headers.find((one) => one.key === name.toLowerCase())?.value;

/** The address of a link of a received mail, by its words in the HTML. */
export function linkOf({ mail }: Received, words: string): string {
	const html = mail.html ?? '';
	const found = [...html.matchAll(/<a [^>]*?href="([^"]+)"[^>]*>(.*?)<\/a>/gs)].find(
		([, , inner]) => inner!.replace(/<[^>]*>/g, '').includes(words),
	);
	if (!found) throw new Error(`No link says "${words}"`);
	return found[1]!.replaceAll('&amp;', '&');
}
