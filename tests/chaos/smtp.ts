import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server behind a door: while it hangs, it accepts connections and never answers. */
export async function startMail() {
	/** Message-IDs of each recipient's emails. */
	const received = new Map<string, string[]>();
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['AUTH', 'STARTTLS'],
		logger: false,
		disableReverseLookup: true,
		onData(stream, session, done) {
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => chunks.push(chunk));
			stream.on('end', () => {
				const head = Buffer.concat(chunks).toString('latin1');
				const to = session.envelope.rcptTo[0]!.address;
				const id = /^Message-ID: (.*)$/im.exec(head)?.[1] ?? '';
				received.set(to, [...(received.get(to) ?? []), id.trim()]);
				done();
			});
		},
	});
	server.on('error', () => {});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const inner = (server.server.address() as AddressInfo).port;
	let hangs = false;
	const open = new Set<Socket>();
	const door = createServer((socket) => {
		open.add(socket.on('error', () => {}).on('close', () => open.delete(socket)));
		if (hangs) return;
		const to = connect(inner, '127.0.0.1');
		to.on('error', () => socket.destroy());
		socket.pipe(to).pipe(socket);
	});
	door.listen(0, '127.0.0.1');
	await once(door, 'listening');
	return {
		url: `smtp://127.0.0.1:${(door.address() as AddressInfo).port}`,
		received,
		hang(on: boolean) {
			hangs = on;
			for (const socket of open) socket.destroy();
		},
		close() {
			for (const socket of open) socket.destroy();
			door.close();
			server.close();
		},
	};
}
