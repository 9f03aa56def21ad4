/**
 * Returns options of Node with which a program is killed by itself right after it has printed so many lines that begin
 * like this: whoever kills it from outside when they read the line may come when it has long ended.
 */
export function dieAfter(beginning: string, count = 1): string[] {
	const code = `let left = ${count};
		const write = process.stdout.write.bind(process.stdout);
		process.stdout.write = (text, ...more) => {
			const isWritten = write(text, ...more);
			if (String(text).startsWith(${JSON.stringify(beginning)}) && --left === 0)
				process.kill(process.pid, 'SIGKILL');
			return isWritten;
		};`;
	return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}
