/** An ISO time as `<input type="datetime-local">` has it, in the writer's own time zone. */
export function toLocal(iso: string): string {
	const time = Date.parse(iso);
	if (Number.isNaN(time)) return '';
	const date = new Date(time);
	// By its parts: the offset of a year that is still being typed has seconds, which `getTimezoneOffset` has not.
	const day = [pad(date.getFullYear(), 4), pad(date.getMonth() + 1), pad(date.getDate())];
	return `${day.join('-')}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

const pad = (part: number, length = 2) => String(part).padStart(length, '0');

/** The other way; empty where it is none. */
export function fromLocal(local: string): string {
	const time = new Date(local);
	return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
