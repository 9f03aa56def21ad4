import { joinWithAnd } from '#src/lib/text.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { deadAmong } from './dead-links.ts';

/** Says at which of these paths of this site nothing is, before somebody saves links to them. */
export function DeadLinksNote({ links }: { links: readonly string[] }) {
	const key = links.length > 0 ? links.join(' ') : null;
	const { data } = useAsync(key, async () => ({ key, dead: [...(await deadAmong(links))] }), 400);
	const dead = data && data.key === key ? data.dead : [];
	return (
		<p role="status" className="field-hint">
			{dead.length > 0 && `No page is at ${joinWithAnd(dead)} yet.`}
		</p>
	);
}
