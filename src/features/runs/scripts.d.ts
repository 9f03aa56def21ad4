/** The code of a worker, bundled to one script: see src/build/worker-scripts.ts. */
declare module '*?script' {
	const code: string;
	export default code;
}

/** The address of a file that the build copies. */
declare module '*?url' {
	const address: string;
	export default address;
}
