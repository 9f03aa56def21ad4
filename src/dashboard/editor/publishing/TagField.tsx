import { callAsAdmin } from '#src/core/session/session.store.ts';
import { completeTags } from '#src/features/posts/editing.api.ts';
import { tagKey } from '#src/features/posts/editing.ts';
import { Chooser } from './Chooser.tsx';

type Props = { tags: readonly string[]; onChange: (tags: string[]) => void };

/** Tags by name: what exists is offered while typing, Enter or a comma adds, Backspace takes the last off. */
export function TagField({ tags, onChange }: Props) {
	const taken = new Set(tags.map(tagKey));
	return (
		<Chooser
			label="Tags"
			listLabel="Tags in use"
			placeholder={tags.length === 0 ? 'Add a tag' : ''}
			takesAny
			chosen={tags.map((tag) => ({ key: tag, label: tag }))}
			load={async (q) =>
				(await callAsAdmin(completeTags, { q })).map(({ name, posts }) => ({
					key: name,
					label: name,
					note: posts,
				}))
			}
			isTaken={({ key }) => taken.has(tagKey(key))}
			onAdd={(value) => {
				// Several at once where a list was pasted.
				const names = value.split(',').map((name) => name.replace(/\s+/g, ' ').trim());
				const added = names.filter((name) => name && !taken.has(tagKey(name)));
				const unique = [...Map.groupBy(added, tagKey).values()].map(([first]) => first!);
				if (unique.length > 0) onChange([...tags, ...unique]);
			}}
			onRemove={(tag) => onChange(tags.filter((other) => other !== tag))}
		/>
	);
}
