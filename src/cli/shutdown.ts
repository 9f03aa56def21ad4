/** Signals that end a process. A terminal and systemd send them to each one of a tree. */
let signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];
const hasParent = process.connected;

/** Leaves the end of this process to its parent. */
export function ignoreSignals(): void {
	for (const signal of signals) process.on(signal, () => {});
	signals = [];
}

/** Closes and exits at the first signal, or when the parent process is gone. */
export function onShutdown(close: () => Promise<void>): void {
	let ending = false;
	const end = () => {
		if (ending) return;
		ending = true;
		close().then(
			() => process.exit(0),
			(error: unknown) => {
				console.error(error);
				process.exit(1);
			},
		);
	};
	for (const event of [...signals, 'disconnect']) process.on(event, end);
	// It went before anybody listened.
	if (hasParent && !process.connected) end();
}
