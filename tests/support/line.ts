import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A line to a server that can be cut. */
export type Line = {
	address: string;
	/** Ends all connections and takes no more, or takes them again. */
	cut(isCut: boolean): void;
	close(): void;
};

/** Opens a line to the server at an address, on any port. */
export async function openLine(to: string): Promise<Line> {
	const { hostname, port } = new URL(to);
	const sockets = new Set<Socket>();
	let isCut = false;
	const server = createServer((socket) => {
		if (isCut) return void socket.destroy();
		const other = connect(Number(port), hostname);
		for (const [one, end] of [
			[socket, other],
			[other, socket],
		] as const) {
			sockets.add(one);
			one
				.on('error', () => {})
				.on('close', () => {
					sockets.delete(one);
					end.destroy();
				});
		}
		socket.pipe(other).pipe(socket);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const end = () => {
		for (const socket of sockets) socket.destroy();
	};
	return {
		address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		cut(wanted) {
			isCut = wanted;
			if (isCut) end();
		},
		close() {
			server.close();
			end();
		},
	};
}
