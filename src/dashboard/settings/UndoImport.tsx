import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { plural, joinWithAnd } from '#src/lib/text.ts';
import { getImport, undoImport } from '#src/features/import-export/import-export.api.ts';
import type { ImportedCounts, ImportView } from '#src/features/import-export/bundle.ts';
import { $undoing, $undone } from './undo.store.ts';

const SHOWN = 20;

/** A whole import is taken back here, after it was shown what that removes and what it keeps. */
export function UndoImport() {
	const id = useStore($undoing);
	const close = () => $undoing.set(null);
	return (
		<Dialog open={id !== null} onClose={close} title="Undo an import">
			{id !== null && <Plan key={id} id={id} onClose={close} />}
		</Dialog>
	);
}

function Plan({ id, onClose }: { id: string; onClose: () => void }) {
	const [input] = useState({ id });
	const { answer, error, reload } = useAnswer(getImport, input);
	const { busy, run } = useSubmit('Not undone');

	async function undo() {
		const { removes, keeps, ...others } = await callAsAdmin(undoImport, { id });
		const kept = keeps.length > 0 ? ' What was changed here stays.' : '';
		const description = `Removed: ${listed(removes)}.${restoredWords(others)}${kept}`;
		toast({ title: 'Import undone', description });
		onClose();
		$undone.set(id);
	}

	if (error !== undefined) return <SectionError message={error} onRetry={reload} />;
	if (!answer) return <Skeleton label="Looking what there is" rows={3} />;
	if (answer.undoneAt) return <p>This import of {answer.name} was undone already.</p>;
	return (
		<div className="grid gap-4">
			<p className="break-words">
				{answer.kind}: {answer.name}
			</p>
			<p>
				This removes for good: {listed(answer.removes)}.{restoredWords(answer)} The file can be
				imported again afterwards.
			</p>
			{answer.keeps.length > 0 && (
				<div>
					<p>This stays, because it was changed or is in use here:</p>
					<ul className="import-errors">
						{answer.keeps.slice(0, SHOWN).map(({ name, why }, index) => (
							<li key={index}>
								<strong>{name}</strong>: {why}
							</li>
						))}
						{answer.keeps.length > SHOWN && <li>and {answer.keeps.length - SHOWN} more</li>}
					</ul>
				</div>
			)}
			<p className="flex flex-wrap gap-3">
				<Button busy={busy} onClick={() => void run(undo)}>
					{busy ? 'Undoing…' : 'Undo the import'}
				</Button>
				<Button variant="quiet" onClick={onClose}>
					Keep everything
				</Button>
			</p>
		</div>
	);
}

function restoredWords({ restores, wakes }: Pick<ImportView, 'restores' | 'wakes'>): string {
	if (restores === 0) return '';
	const again = wakes > 0 ? `, of whom ${plural(wakes, 'gets', 'get')} letters again` : '';
	return ` As before the import: ${plural(restores, 'subscriber')}${again}.`;
}

function listed({ posts, pages, categories, tags, images, subscribers }: ImportedCounts): string {
	const parts = [
		[posts, 'post', 'posts'],
		[pages, 'page', 'pages'],
		[categories, 'category', 'categories'],
		[tags, 'tag', 'tags'],
		[images, 'image', 'images'],
		[subscribers, 'subscriber', 'subscribers'],
	] as const;
	const given = parts.filter(([count]) => count > 0);
	return joinWithAnd(given.map(([count, one, many]) => plural(count, one, many))) || 'nothing';
}
