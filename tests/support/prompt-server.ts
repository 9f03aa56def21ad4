import { SMTPServer } from 'smtp-server';

/** A server that greets at once: its library waits a tenth of a second on each connection for clients that talk too soon. */
export class PromptServer extends SMTPServer {
	override connect(...[socket, options]: Parameters<SMTPServer['connect']>): void {
		super.connect(socket, options);
		const connection = [...this.connections].at(-1)!;
		connection.connectionReady();
		connection.connectionReady = () => {};
	}
}
