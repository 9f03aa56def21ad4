import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import type { SurfaceHandle } from '#src/dashboard/editor/surface/Surface.tsx';
import { LetterPreview } from '#src/dashboard/kit/MailPreview.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { KeptNote, useTransport } from '#src/dashboard/kit/KeptNote.tsx';
import { testWords, WorkButton } from '#src/dashboard/kit/WorkButton.tsx';
import { TextField } from '#src/dashboard/pages/TextField.tsx';
import { sendTest } from '#src/features/mail/mail.api.ts';
import { checkLetter, createLetter } from '#src/features/newsletter/letters.api.ts';
import { countAllSubscribers } from '#src/features/newsletter/subscribers.api.ts';
import { listStoredCategories } from '#src/features/taxonomy/taxonomy.api.ts';
import { sizeWarning, type LetterCheck } from '#src/features/newsletter/letters.ts';
import { localTimeZone } from '#src/lib/dates.ts';
import { formatCount, plural } from '#src/lib/text.ts';
import { SendQuestion } from './SendQuestion.tsx';
import { $letterDraft, discardDraft, draftOf, editDraft } from './draft.store.ts';

const NOTHING = {};
const people = (count: number) => plural(count, 'person', 'people');

/** A letter of its own, besides the issues. What is typed stays in this browser until it is sent. */
export function WriteLetter({ onSent }: { onSent: () => void }) {
	const draft = draftOf(useStore($letterDraft));
	const [isOpen, setOpen] = useState(draft.content !== '' || draft.subject !== '');
	const section = useRef<HTMLElement>(null);
	const isAsked = useRef(false);
	useEffect(() => {
		// Gives the focus to a letter that was just asked for, and not to one that was begun before.
		if (isOpen && isAsked.current) section.current?.querySelector('input')?.focus();
		isAsked.current = false;
	}, [isOpen]);
	return (
		<section ref={section} aria-labelledby="write-letter-title">
			<h2 id="write-letter-title">A letter of its own</h2>
			{isOpen ? (
				<LetterForm
					onBack={() => setOpen(true)}
					onSent={() => {
						setOpen(false);
						onSent();
					}}
				/>
			) : (
				<>
					<p className="mt-3 mb-4 text-muted">
						Besides the issues: to everybody, to the readers of a topic, to those of a source, or to
						those with a label.
					</p>
					<Button
						variant="quiet"
						onClick={() => {
							isAsked.current = true;
							setOpen(true);
						}}
					>
						Write a letter
					</Button>
				</>
			)}
		</section>
	);
}

function LetterForm({ onSent, onBack }: { onSent: () => void; onBack: () => void }) {
	const draft = draftOf(useStore($letterDraft));
	const [check, setCheck] = useState<LetterCheck>();
	const { isKept } = useTransport();
	const { busy, errors, run } = useSubmit('Not sent', true);
	const surface = useRef<SurfaceHandle>(null);
	const topics = useAnswer(listStoredCategories, NOTHING);
	const categories = topics.answer ?? [];
	const counts = useAnswer(countAllSubscribers, NOTHING);

	// What was typed last is kept where the page is left at once.
	useEffect(() => {
		const onLeave = () => surface.current?.sync();
		addEventListener('pagehide', onLeave);
		return () => removeEventListener('pagehide', onLeave);
	}, []);

	/** Asks before it sends: the first press tells whom the letter reaches, the second one sends it. */
	const send = (isSure: boolean) =>
		run(async () => {
			surface.current?.sync();
			// A letter of an earlier version of the desk has no id yet.
			editDraft({});
			const { sendAt, ...typed } = draftOf($letterDraft.get());
			const letter = { ...typed, sendAt: sendAt && new Date(sendAt).toISOString() };
			if (!isSure) return setCheck(await callAsAdmin(checkLetter, letter));
			setCheck(undefined);
			await callAsAdmin(createLetter, { ...letter, confirm: Boolean(check?.near) });
			const title = sendAt ? 'The letter is scheduled' : 'The letter goes out';
			toast(
				isKept
					? {
							title: 'The letter is kept as files on this machine',
							description: 'Nothing is sent: no mail server is set up.',
						}
					: { title },
			);
			discardDraft();
			onSent();
		});

	/** Forgets the letter, unless that is taken back at once. */
	function discard() {
		surface.current?.sync();
		const discarded = $letterDraft.get();
		discardDraft();
		onSent();
		const run = () => {
			editDraft(discarded);
			onBack();
		};
		toast({ title: 'Letter discarded', action: { label: 'Undo', run } });
	}

	const topic = categories.find(({ id }) => id === draft.topic);
	const audience = (readers: number) =>
		[
			people(readers),
			topic && `who chose ${topic.name} or all topics`,
			draft.source && `${topic ? 'and ' : 'who '}came by ${draft.source}`,
			draft.label && `${topic || draft.source ? 'and ' : 'who '}have the label ${draft.label}`,
		]
			.filter(Boolean)
			.join(' ');

	return (
		<div className="letter-columns">
			<div className="letter-form">
				<Field
					label="Subject of the letter"
					value={draft.subject}
					maxLength={150}
					error={errors['subject']}
					onChange={({ currentTarget }) => editDraft({ subject: currentTarget.value })}
				/>
				<Field
					label="Preview line of the letter"
					value={draft.preview}
					maxLength={200}
					error={errors['preview']}
					onChange={({ currentTarget }) => editDraft({ preview: currentTarget.value })}
				/>
				<TextField
					content={draft.content}
					error={errors['content']}
					surface={surface}
					onChange={(content) => editDraft({ content })}
					hint="In an email a figure is its caption and its table."
				/>
				<div className="flex flex-wrap items-start gap-4">
					<Field
						label="Topic"
						type="select"
						value={draft.topic}
						error={errors['topic']}
						options={[
							{ value: '', label: 'All topics' },
							...categories.map(({ id, name }) => ({ value: id, label: name })),
						]}
						onChange={({ currentTarget }) => editDraft({ topic: currentTarget.value })}
					/>
					<Field
						label="Source"
						type="select"
						value={draft.source}
						error={errors['source']}
						options={[
							{ value: '', label: 'All sources' },
							...(counts.answer?.sources ?? []).flatMap(({ source, count }) =>
								source === null
									? []
									: [{ value: source, label: `${source} (${formatCount(count)})` }],
							),
						]}
						onChange={({ currentTarget }) => editDraft({ source: currentTarget.value })}
					/>
					{(counts.answer?.labels ?? []).length > 0 && (
						<Field
							label="Label"
							type="select"
							value={draft.label}
							error={errors['label']}
							options={[
								{ value: '', label: 'With any label or none' },
								...counts.answer!.labels.map(({ label, count }) => ({
									value: label,
									label: `${label} (${formatCount(count)})`,
								})),
							]}
							onChange={({ currentTarget }) => editDraft({ label: currentTarget.value })}
						/>
					)}
					<div className="field">
						<label htmlFor="letter-send-at">Send at</label>
						<input
							id="letter-send-at"
							type="datetime-local"
							value={draft.sendAt}
							aria-invalid={errors['sendAt'] !== undefined}
							onChange={({ currentTarget }) => editDraft({ sendAt: currentTarget.value })}
						/>
						<span className="field-hint">
							Empty for now. In your time zone ({localTimeZone()}).
						</span>
						{errors['sendAt'] && (
							<span role="alert" className="field-error">
								{errors['sendAt']}
							</span>
						)}
					</div>
				</div>
				<LoadError what="Topics" {...topics} />
				<LoadError what="Sources" {...counts} />
				<KeptNote />
				<div className="letter-actions letter-send">
					<Button busy={busy} onClick={() => void send(false)}>
						{draft.sendAt ? 'Schedule the letter' : 'Send the letter'}
					</Button>
					<WorkButton
						label="Send it to me"
						work={async () => {
							surface.current?.sync();
							const { subject, preview, content } = draftOf($letterDraft.get());
							const test = { what: 'letter', subject, preview, content } as const;
							return testWords(await callAsAdmin(sendTest, test));
						}}
					/>
					<Button variant="quiet" onClick={discard}>
						Discard
					</Button>
				</div>
			</div>
			{draft.content !== '' && <LetterPreview letter={draft} />}
			{check && (
				<SendQuestion
					open
					title={`Send to ${audience(check.readers)}?`}
					label={
						draft.sendAt
							? `Schedule for ${people(check.readers)}`
							: `Send to ${people(check.readers)}`
					}
					busy={busy}
					onClose={() => setCheck(undefined)}
					onSend={() => void send(true)}
				>
					<p className="break-words">“{draft.subject}”</p>
					{check.near && <p className="field-error">{check.near}</p>}
					{sizeWarning(check.bytes) && <p className="field-error">{sizeWarning(check.bytes)}</p>}
				</SendQuestion>
			)}
		</div>
	);
}
