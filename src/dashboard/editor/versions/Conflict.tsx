import { useEffect } from 'react';
import { toast } from '#src/components/ui/toast.store.ts';
import { relativeTime } from '#src/lib/dates.ts';
import type { Writing } from '#src/dashboard/editor/writing/machine.ts';
import type { WritingStore } from '#src/dashboard/editor/writing/writing.store.ts';
import { mergePosts } from './merge.ts';
import { MergeView } from './MergeView.tsx';

type Props = {
	writing: WritingStore;
	state: Writing & { conflict: NonNullable<Writing['conflict']> };
	/** Names of categories by id. */
	categories: ReadonlyMap<string, string>;
};

/** Merges what another tab or somebody else saved meanwhile, and asks where both changed the same place. */
export function Conflict({ writing, state: { form, conflict }, categories }: Props) {
	const { mine, theirs, isAsked } = mergePosts(conflict.base, form, conflict.form);
	useEffect(() => {
		// A text gives out its last words when it leaves the screen, which is now.
		const now = writing.state.get();
		if (!now.conflict) return;
		const merged = mergePosts(now.conflict.base, now.form, now.conflict.form);
		if (merged.isAsked) return;
		void writing.resolve(merged.mine);
		toast({
			title: 'Merged with another version',
			description:
				'It was saved meanwhile, in another tab or by somebody else, with other places changed.',
		});
	}, [conflict, isAsked]);
	if (!isAsked) return null;
	const savedAt = conflict.theirs.draft?.updatedAt ?? conflict.theirs.savedAt;
	return (
		<MergeView
			key={form.content}
			mine={mine}
			theirs={theirs}
			base={conflict.base}
			origin={`Another one was saved ${relativeTime(savedAt, Date.now())}, in another tab or by somebody else`}
			categories={categories}
			onDone={(merged) => void writing.resolve(merged)}
		/>
	);
}
