import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import { messageOf } from '#src/lib/errors.ts';

/** Tells what was done and offers to undo it. `onUndone` shows how things are afterwards. */
export function tellUndoable(
	notice: { title: string; description?: string | undefined },
	token: string | null,
	onUndone: () => void,
): void {
	toast({
		...notice,
		action: token === null ? undefined : { label: 'Undo', run: () => void undo(token, onUndone) },
	});
}

/** Takes an action back and tells what that did. */
export async function undo(token: string, onUndone: () => void): Promise<void> {
	try {
		const { message } = await callAsAdmin(undoAction, { token });
		toast({ title: 'Undone', description: message });
	} catch (problem) {
		toast({ title: 'Not undone', description: messageOf(problem), destructive: true });
	}
	onUndone();
}
