import { useState, type ReactNode, type SubmitEvent } from 'react';
import { ActionBar } from '#src/components/ui/ActionBar.tsx';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { getNextIssue } from '#src/features/newsletter/letters.api.ts';
import { bulkPosts, listPostIds } from '#src/features/posts/bulk.api.ts';
import { MAX_BULK, type BulkAction } from '#src/features/posts/bulk.ts';
import { completeTags } from '#src/features/posts/editing.api.ts';
import type { PostFilter } from '#src/features/posts/editing.ts';
import type { CategoryRef } from '#src/features/posts/post.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { formatCount, plural } from '#src/lib/text.ts';

type Props = {
	selected: ReadonlySet<string>;
	onSelect: (selected: ReadonlySet<string>) => void;
	/** Number of posts that the filter shows. */
	total: number;
	filter: PostFilter;
	categories: readonly CategoryRef[];
	onDone: () => void;
	/** The bar while nothing is chosen. */
	children: ReactNode;
};

/** Actions that ask for a category or a tag first. */
type Asking = Extract<BulkAction, 'category' | 'tag' | 'untag'>;

const DONE: Record<BulkAction, string> = {
	publish: 'published',
	unpublish: 'unpublished',
	category: 'moved',
	tag: 'tagged',
	untag: 'untagged',
	feature: 'featured',
	unfeature: 'no longer featured',
	delete: 'deleted',
};
const ASKS: Record<Asking, { button: string; title: string; send: string }> = {
	category: { button: 'Move', title: 'Move to a category', send: 'Move' },
	tag: { button: 'Add tag', title: 'Add a tag', send: 'Add' },
	untag: { button: 'Remove tag', title: 'Remove a tag', send: 'Remove' },
};
type Simple = Exclude<BulkAction, Asking>;
const SIMPLE: [Simple, string][] = [
	['publish', 'Publish'],
	['unpublish', 'Unpublish'],
	['feature', 'Feature'],
	['unfeature', 'Unfeature'],
];
/** From so many posts on, what readers see of them is asked about first; publishing also where somebody is mailed. */
const MANY = 20;
/** Refused posts that are told one by one. */
const TOLD = 3;

/** The actions for the chosen posts, each with a way back. */
export function BulkBar(props: Props) {
	const { selected, onSelect, total, filter, categories, onDone, children } = props;
	const [busy, setBusy] = useState(false);
	const [asking, setAsking] = useState<Asking>();
	const [doubted, setDoubted] = useState<Simple>();
	/** How many readers get a letter of each article that is published. */
	const [mailed, setMailed] = useState(0);
	const [error, setError] = useState<string>();

	async function act(work: () => Promise<void>, failed: string) {
		if (busy) return;
		setBusy(true);
		setError(undefined);
		try {
			await work();
		} catch (problem) {
			if (asking && problem instanceof AppError && problem.fields) setError(messageOf(problem));
			else toast({ title: failed, description: messageOf(problem), destructive: true });
		} finally {
			setBusy(false);
		}
	}
	const send = (action: BulkAction, value?: string) =>
		act(() => post(action, value), 'Nothing was changed');
	async function post(action: BulkAction, value?: string) {
		const ids = [...selected];
		const { changed, undo, skipped } = await callAsAdmin(bulkPosts, { ids, action, value });
		const told = skipped.slice(0, TOLD).map(({ title, why }) => `“${title}”: ${why}`);
		if (skipped.length > TOLD) told.push(`And ${formatCount(skipped.length - TOLD)} more.`);
		tellUndoable(
			{
				title: `${plural(changed, 'post')} ${DONE[action]}`,
				description: told.join(' ') || undefined,
			},
			undo,
			onDone,
		);
		setAsking(undefined);
		setDoubted(undefined);
		onSelect(new Set());
		onDone();
	}
	const begin = (action: Simple) =>
		void act(async () => {
			const each =
				action === 'publish' ? (await callAsAdmin(getNextIssue, NOTHING)).readers.each : 0;
			setMailed(each);
			if (each > 0 || selected.size >= MANY) setDoubted(action);
			else await post(action);
		}, 'Nothing was changed');
	const reachable = Math.min(total, MAX_BULK);
	const selectAll = () =>
		act(async () => {
			const { ids } = await callAsAdmin(listPostIds, filter);
			onSelect(new Set(ids));
		}, 'They could not be chosen');

	return (
		<>
			{selected.size === 0 ? (
				children
			) : (
				<ActionBar
					chosen={selected.size}
					onClear={() => onSelect(new Set())}
					summary=""
					done={undefined}
					busy={busy}
					onUndo={() => {}}
					actions={
						<>
							{selected.size < reachable && (
								<Button variant="quiet" busy={busy} onClick={() => void selectAll()}>
									{reachable < total
										? `Select the first ${formatCount(reachable)} of ${formatCount(total)}`
										: `Select all ${formatCount(total)}`}
								</Button>
							)}
							{SIMPLE.map(([action, label]) => (
								<Button key={action} variant="quiet" busy={busy} onClick={() => begin(action)}>
									{label}
								</Button>
							))}
							{(Object.keys(ASKS) as Asking[]).map((action) => (
								<Button
									key={action}
									variant="quiet"
									busy={busy}
									onClick={() => {
										setError(undefined);
										setAsking(action);
									}}
								>
									{ASKS[action].button}
								</Button>
							))}
							<Button variant="danger" busy={busy} onClick={() => begin('delete')}>
								Delete
							</Button>
						</>
					}
				/>
			)}
			<Dialog
				open={doubted !== undefined}
				onClose={() => setDoubted(undefined)}
				title={`${labelOf(doubted)} ${plural(selected.size, 'post')}?`}
			>
				<p>
					{mailed > 0 &&
						`${plural(mailed, 'reader')} who ${mailed === 1 ? 'wants' : 'want'} each article ${mailed === 1 ? 'gets' : 'get'} a letter about ten minutes later. `}
					It can be undone for 30 days{mailed > 0 && ', a letter that was sent cannot'}.
				</p>
				<div className="mt-4 flex flex-wrap gap-3">
					<Button
						variant={doubted === 'delete' ? 'danger' : 'primary'}
						busy={busy}
						onClick={() => doubted && void send(doubted)}
					>
						{labelOf(doubted)} {plural(selected.size, 'post')}
					</Button>
					<Button variant="quiet" onClick={() => setDoubted(undefined)}>
						Cancel
					</Button>
				</div>
			</Dialog>
			<Dialog
				open={asking !== undefined}
				onClose={() => setAsking(undefined)}
				title={asking ? `${ASKS[asking].title}: ${plural(selected.size, 'post')}` : ''}
				firstFocus="select, input"
			>
				{asking && (
					<Ask
						key={asking}
						action={asking}
						categories={categories}
						busy={busy}
						error={error}
						onSend={(value) => void send(asking, value)}
					/>
				)}
			</Dialog>
		</>
	);
}

const labelOf = (action: Simple | undefined) =>
	SIMPLE.find(([one]) => one === action)?.[1] ?? 'Delete';

type AskProps = {
	action: Asking;
	categories: readonly CategoryRef[];
	busy: boolean;
	error: string | undefined;
	onSend: (value: string) => void;
};

const NOTHING = {};

function Ask({ action, categories, busy, error, onSend }: AskProps) {
	const [value, setValue] = useState('');
	const [missing, setMissing] = useState<string>();
	const tags = useAnswer(completeTags, NOTHING);
	const change = ({ currentTarget }: { currentTarget: { value: string } }) =>
		setValue(currentTarget.value);

	function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		const what = action === 'category' ? 'category' : 'tag';
		setMissing(value.trim() ? undefined : `Please choose a ${what}.`);
		if (value.trim()) onSend(value);
	}

	return (
		<form method="post" noValidate className="grid gap-4" onSubmit={send}>
			{action === 'category' ? (
				<Field
					type="select"
					label="Category"
					value={value}
					options={[
						{ value: '', label: 'Choose…' },
						...categories.map(({ slug, name }) => ({ value: slug, label: name })),
					]}
					onChange={change}
					error={missing ?? error}
				/>
			) : (
				<>
					<Field
						label="Tag"
						value={value}
						maxLength={100}
						autoComplete="off"
						list="known-tags"
						onChange={change}
						error={missing ?? error}
						hint={action === 'tag' ? 'One that there is not yet is made.' : undefined}
					/>
					<datalist id="known-tags">
						{tags.answer?.map(({ id, name }) => (
							<option key={id} value={name} />
						))}
					</datalist>
					<LoadError what="Tags" {...tags} />
				</>
			)}
			<Button type="submit" className="justify-self-start" busy={busy}>
				{ASKS[action].send}
			</Button>
		</form>
	);
}
