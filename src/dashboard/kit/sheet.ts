/** Returns a sheet's text: UTF-8, or the encoding that some programs on Windows write. */
export function textOfSheet(bytes: ArrayBuffer): string {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		return new TextDecoder('windows-1252').decode(bytes);
	}
}
