/** An SMTP server that throws mail away, as a process of its own. It tells its port, and how much it got when it is asked. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

let received = 0;
const server = new SMTPServer({
	authOptional: true,
	disabledCommands: ['AUTH', 'STARTTLS'],
	logger: false,
	disableReverseLookup: true,
	onData(stream, _session, done) {
		stream.resume();
		stream.on('end', () => {
			received++;
			done();
		});
	},
});
server.on('error', () => {});
server.listen(0, '127.0.0.1', () => {
	process.send?.({ port: (server.server.address() as AddressInfo).port });
});
process.on('message', () => process.send?.({ received }));
process.on('disconnect', () => process.exit());
