import { useEffect, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { $address } from '#src/dashboard/kit/address.store.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { PersonLink } from '#src/dashboard/kit/PersonLink.tsx';
import { When } from '#src/dashboard/kit/When.tsx';
import * as api from '#src/features/contact/messages.api.ts';
import type { Message, MessageState, Reply } from '#src/features/contact/messages.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { keepDraft, ReplyForm } from './ReplyForm.tsx';

/** Returns a message, which is read from now on. */
async function openMessage(id: string, onRead: () => void): Promise<Message> {
	const message = await callAsAdmin(api.getMessage, { id });
	if (message.state !== 'new' || message.deletedAt) return message;
	try {
		const read = await callAsAdmin(api.changeMessage, {
			id,
			version: message.version,
			state: 'read',
		});
		onRead();
		return read;
	} catch {
		// It stays new, and the next opening marks it.
		return message;
	}
}

type Props = {
	id: string;
	onBack: () => void;
	/** Lead to the messages beside it in the list, where there are some. */
	onPrevious?: (() => void) | undefined;
	onNext?: (() => void) | undefined;
	/** Called when the message is in another state than its list shows. */
	onChanged: () => void;
};

/** One message with what was answered, and what can be done with it. */
export function MessageView({ id, onBack, onPrevious, onNext, onChanged }: Props) {
	const { data: answer, error, reload } = useAsync(id, () => openMessage(id, onChanged));
	const [changed, setChanged] = useState<Message>();
	const { busy, run } = useSubmit('That did not work');
	const [erasing, setErasing] = useState(false);
	const message = changed && changed.version > (answer?.version ?? 0) ? changed : answer;
	const isOnItsWay = message?.replies.some(({ delivery }) => ON_ITS_WAY.has(delivery));
	useEffect(() => {
		if (!isOnItsWay) return;
		const timer = setTimeout(reload, LOOK_AGAIN_MS);
		return () => clearTimeout(timer);
	}, [isOnItsWay, message]);

	useEffect(() => {
		function press(event: KeyboardEvent) {
			const { key, target } = event;
			const isTyped = (target as Element).closest?.('input, textarea, select, [contenteditable]');
			if (isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
			if ($address.get().screen !== 'messages' || document.querySelector('dialog[open]')) return;
			if (key.toLowerCase() === 'j') onNext?.();
			else if (key.toLowerCase() === 'k') onPrevious?.();
		}
		addEventListener('keydown', press);
		return () => removeEventListener('keydown', press);
	}, [onNext, onPrevious]);

	/** Does something with the message as it is shown; what was changed elsewhere meanwhile is shown instead. */
	async function act(work: (message: Message) => Promise<Message>): Promise<Message | undefined> {
		if (!message) return undefined;
		return run(async () => {
			try {
				const next = await work(message);
				setChanged(next);
				onChanged();
				return next;
			} catch (problem) {
				if (problem instanceof AppError && problem.stored) setChanged(problem.stored as Message);
				throw problem;
			}
		});
	}

	async function move(state: MessageState, done: string) {
		const before = message;
		const next = await act(({ version }) => callAsAdmin(api.changeMessage, { id, version, state }));
		if (next && before) toastMoved(next, before, done);
	}
	async function remove() {
		const before = message;
		const next = await act(({ version }) =>
			callAsAdmin(api.deleteMessage, { id, version, forever: false }),
		);
		if (next && before) toastMoved(next, before, 'Message deleted');
	}
	async function erase() {
		setErasing(false);
		const gone = await act(({ version }) =>
			callAsAdmin(api.deleteMessage, { id, version, forever: true }),
		);
		if (!gone) return;
		keepDraft(id, '');
		toast({ title: 'Message erased' });
		onBack();
	}
	/** Sends an answer; with `done`, which tells of both, the message is archived as well. */
	async function reply(text: string, done?: string) {
		const archives = done !== undefined;
		const before = message;
		const next = await act(({ version }) =>
			callAsAdmin(api.replyToMessage, { id, version, text, archives }),
		);
		if (next && before && archives) {
			toastMoved(next, { ...before, deletedAt: null, state: 'read' }, done, 'Unarchive');
		}
		return next;
	}
	/** Tells what was done, shows the list, and offers to undo it. */
	function toastMoved({ version }: Message, before: Message, title: string, label = 'Undo') {
		toast({
			title,
			action: {
				label,
				run: () =>
					void (
						before.deletedAt
							? callAsAdmin(api.deleteMessage, { id, version, forever: false })
							: callAsAdmin(api.changeMessage, { id, version, state: before.state })
					).then(onChanged, (problem: unknown) =>
						toast({ title: 'Not undone', description: messageOf(problem), destructive: true }),
					),
			},
		});
		onBack();
	}

	const back = (
		<div className="message-ways">
			<Button variant="quiet" onClick={onBack}>
				All messages
			</Button>
			<Button variant="quiet" disabled={!onPrevious} onClick={onPrevious}>
				Previous
			</Button>
			<Button variant="quiet" disabled={!onNext} onClick={onNext}>
				Next
			</Button>
		</div>
	);
	if (error !== undefined) {
		return (
			<>
				{back}
				<SectionError message={messageOf(error)} onRetry={reload} />
			</>
		);
	}
	if (!message) return <Skeleton label="Loading the message" rows={5} />;
	return (
		<article className="message" aria-labelledby="message-topic">
			{back}
			<header>
				<h2 id="message-topic">{message.topic}</h2>
				<p className="message-about">
					<strong>{message.name}</strong>{' '}
					<a className="link" href={`mailto:${message.email}`}>
						{message.email}
					</a>{' '}
					<PersonLink email={message.email}>All about this person</PersonLink>{' '}
					<When hour at={message.createdAt} />
				</p>
			</header>
			<p className="moderated-text">{message.message}</p>
			{message.replies.length > 0 && (
				<section aria-label="Answers" className="message-replies">
					{message.replies.map((reply) => (
						<SentReply key={reply.id} {...reply} />
					))}
				</section>
			)}
			<ReplyForm message={message} busy={busy} send={reply} />
			<div className="row-actions" role="group" aria-label="This message">
				{message.deletedAt ? (
					<>
						<button type="button" onClick={() => void move('read', 'Message restored')}>
							Restore
						</button>
						<button type="button" className="text-danger" onClick={() => setErasing(true)}>
							Erase for good
						</button>
					</>
				) : (
					<>
						{message.state !== 'archived' && (
							<button type="button" onClick={() => void move('archived', 'Message archived')}>
								Archive
							</button>
						)}
						{message.state !== 'read' && message.state !== 'new' && (
							<button type="button" onClick={() => void move('read', 'Message is in the inbox')}>
								Move to the inbox
							</button>
						)}
						{message.state === 'read' && (
							<button type="button" onClick={() => void move('new', 'Message marked as unread')}>
								Mark as unread
							</button>
						)}
						{message.state !== 'spam' && (
							<button type="button" onClick={() => void move('spam', 'Message marked as spam')}>
								Spam
							</button>
						)}
						<button type="button" className="text-danger" onClick={() => void remove()}>
							Delete
						</button>
					</>
				)}
			</div>
			<Dialog open={erasing} onClose={() => setErasing(false)} title="Erase this message?">
				<p>
					The message, your answers and the records of their emails are erased at once. This cannot
					be undone.
				</p>
				<p className="mt-5 flex flex-wrap gap-3">
					<Button variant="danger" onClick={() => void erase()}>
						Erase for good
					</Button>
					<Button variant="quiet" onClick={() => setErasing(false)}>
						Keep it
					</Button>
				</p>
			</Dialog>
		</article>
	);
}

/** An answer that leaves in a moment, and when to look whether it has. */
const ON_ITS_WAY: ReadonlySet<Reply['delivery']> = new Set(['waiting', 'sending']);
const LOOK_AGAIN_MS = 2000;

const DELIVERY_LABELS: Record<
	NonNullable<Reply['delivery']>,
	[className: string, label: string]
> = {
	waiting: ['badge badge-wait', 'On its way'],
	sending: ['badge badge-wait', 'On its way'],
	retrying: ['badge badge-wait', 'Is tried again'],
	delivered: ['badge badge-on', 'Sent'],
	kept: ['badge badge-wait', 'Kept as a file, not sent'],
	failed: ['badge badge-off', 'Not delivered: see Mail'],
	withdrawn: ['badge badge-off', 'Not sent: see Mail'],
};

function SentReply({ text, createdAt, delivery }: Reply) {
	return (
		<div>
			<p className="label">
				You answered <When hour at={createdAt} />{' '}
				{delivery && (
					<span className={DELIVERY_LABELS[delivery][0]}>{DELIVERY_LABELS[delivery][1]}</span>
				)}
			</p>
			<p className="moderated-text">{text}</p>
		</div>
	);
}
