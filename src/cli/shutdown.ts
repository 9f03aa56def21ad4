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
	for (const event of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect']) process.on(event, end);
}
