declare module 'hyphen/en-us/index.js' {
	const hyphen: { hyphenateSync(text: string, options?: { hyphenChar?: string }): string };
	export default hyphen;
}
