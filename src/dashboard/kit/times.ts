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

/** "just now", "5 minutes ago", "3 hours ago", or the day. */
export function ago(time: number, now: number): string {
	const minutes = Math.floor((now - time) / 60_000);
	if (minutes < 1) return 'just now';
	if (minutes < 60) return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
	const hours = Math.floor(minutes / 60);
	if (hours < 24) return hours === 1 ? 'an hour ago' : `${hours} hours ago`;
	return new Date(time).toLocaleDateString('en-US', { dateStyle: 'medium' });
}
