import type { Writing } from '#src/dashboard/editor/writing/machine.ts';
import { isPublic, type WriterActions } from './useWriterActions.ts';
import type { WriterAction } from './writer-action.ts';

/** Returns what can be done with a post as it is now. */
export function writerActions(
	{ post, conflict }: Writing,
	hasDraft: boolean,
	actions: WriterActions,
): WriterAction[] {
	// First it is chosen what there is to save.
	if (conflict) return [];
	const isUpdate = isPublic(post);
	return [
		{
			label: isUpdate ? 'Update' : 'Publish',
			keys: 'Ctrl+Shift+Enter',
			hasButton: 'always',
			run: actions.updateOrPublish,
		},
		{
			label: 'Save',
			keys: 'Ctrl+S',
			hasButton: 'wide',
			run: () => void actions.save({}, 'saving'),
		},
		{ label: 'Preview in a new tab', run: () => void actions.preview(false) },
		{ label: 'Copy preview link', run: () => void actions.preview(true) },
		...(post ? [{ label: 'Earlier versions', run: () => actions.setPanel('revisions') }] : []),
		{ label: 'HTML of the article', run: actions.showSource },
		{ label: 'Keyboard shortcuts', keys: 'Ctrl+/', run: () => actions.setPanel('help') },
		...(hasDraft && isUpdate
			? [{ label: 'Discard changes', run: () => void actions.discard() }]
			: []),
		...(isUpdate
			? [{ label: 'Unpublish', run: () => void actions.save({ published: false }, 'saving') }]
			: []),
		...(post
			? [{ label: 'Delete', isDanger: true as const, run: () => void actions.remove() }]
			: []),
	];
}
