import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { startBuild } from '#src/core/builds/builds.api.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { PostBadge } from '#src/dashboard/editor/publishing/PostBadge.tsx';
import { $address, openScreen } from '#src/dashboard/kit/address.store.ts';
import { useTransport } from '#src/dashboard/kit/KeptNote.tsx';
import { ScreenLink } from '#src/dashboard/kit/ScreenLink.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { countAgain } from '#src/dashboard/kit/waiting.store.ts';
import { Ago, When } from '#src/dashboard/kit/When.tsx';
import { SendQuestion } from '#src/dashboard/newsletter/SendQuestion.tsx';
import { FirstSteps } from '#src/dashboard/setup/FirstSteps.tsx';
import { decideComments } from '#src/features/comments/moderation.api.ts';
import type { CommentState } from '#src/features/comments/moderation.ts';
import { getHome, noteVisit } from '#src/features/home/home.api.ts';
import type { Home } from '#src/features/home/home.ts';
import { KIND_LABELS } from '#src/features/mail/deliveries.ts';
import { retryDelivery } from '#src/features/mail/mail.api.ts';
import { approveIssue } from '#src/features/newsletter/letters.api.ts';
import { recordReview } from '#src/features/posts/editing.api.ts';
import { call } from '#src/lib/endpoint.ts';
import { localDate, localTime, MINUTE, SECOND, timeIn } from '#src/lib/dates.ts';
import { formatCount, plural } from '#src/lib/text.ts';
import { issueWords, readersWords, reviewWords } from './words.ts';

const NOTHING = {};
/** A home that is looked at again after this time is read anew. */
const STALE_MS = MINUTE;
/** How often a build that is under way is asked for. */
const BUILD_MS = 3 * SECOND;

/** The first screen of the desk: things that wait, articles to go on with, and news. */
export function HomeScreen() {
	const { answer, error, loading, reload } = useAnswer(getHome, NOTHING);
	useFreshness(answer, reload);
	useEffect(() => {
		// A visit ends the news, and counts only where the home was seen: a link may have led to another screen.
		if (answer) noteHere();
	}, [answer]);
	if (!answer && error !== undefined) return <SectionError message={error} onRetry={reload} />;
	if (!answer) return <Skeleton label="Loading the home" rows={8} />;
	return (
		<div className="home" aria-busy={loading} onKeyDown={moveByKeys}>
			<LoadError what="What is new" error={error} reload={reload} />
			{answer.steps.length > 0 && <Steps steps={answer.steps} reload={reload} />}
			<Waits home={answer} reload={reload} />
			<div className="home-side">
				<Writing posts={answer.writing} />
				<Happened {...answer} />
				<p className="label">As of {localTime(answer.at)}</p>
			</div>
		</div>
	);
}

/** A visit is over after an hour, so that this is often enough. */
const NOTED_MS = 5 * MINUTE;
let noted = -Infinity;

/** Notes that the home was seen, which tells the next visit what is new. */
function noteHere(): void {
	if (performance.now() - noted < NOTED_MS) return;
	noted = performance.now();
	// The next time that it is seen, it is noted again.
	call(noteVisit, {}).catch(() => (noted = -Infinity));
}

/** Reads the home anew where it is looked at again, the line is back, or a build moves. Not while another screen is open. */
function useFreshness(answer: Home | undefined, reload: () => void): void {
	const isOpen = useStore($address).screen === 'home';
	const build = answer?.waits.build;
	const isMoving = build?.state === 'queued' || build?.state === 'building';
	useEffect(() => {
		if (!isOpen || !answer) return;
		const isShown = () => document.visibilityState === 'visible';
		const look = () => {
			if (isShown() && Date.now() - Date.parse(answer.at) > STALE_MS) reload();
		};
		const timer = isMoving ? setTimeout(() => isShown() && reload(), BUILD_MS) : undefined;
		document.addEventListener('visibilitychange', look);
		addEventListener('online', reload);
		return () => {
			clearTimeout(timer);
			document.removeEventListener('visibilitychange', look);
			removeEventListener('online', reload);
		};
	}, [isOpen, answer, isMoving]);
}

/** Moves to the row below or above by J and K or the arrows. */
function moveByKeys(event: KeyboardEvent<HTMLElement>): void {
	const { key, target, currentTarget } = event;
	const step = { j: 1, arrowdown: 1, k: -1, arrowup: -1 }[key.toLowerCase()];
	if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
		return;
	const row = (target as Element).closest('.home-row');
	if (!row) return;
	const rows = [...currentTarget.querySelectorAll('.home-row')];
	rows[rows.indexOf(row) + step]?.querySelector<HTMLElement>('a, button')?.focus();
	event.preventDefault();
}

function Steps({ steps, reload }: { steps: Home['steps']; reload: () => void }) {
	const { busy, run } = useSubmit('That did not work');
	return (
		<section aria-labelledby="home-steps">
			<h2 id="home-steps">What first?</h2>
			<FirstSteps open={steps} />
			<p>
				<button
					type="button"
					className="link"
					disabled={busy}
					onClick={() =>
						void run(async () => {
							await callAsAdmin(noteVisit, { endsSteps: true });
							document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
							reload();
						})
					}
				>
					Do not show this again
				</button>
			</p>
		</section>
	);
}

type GroupProps = {
	name: string;
	/** How many there are, where it is not one thing. */
	total?: number | undefined;
	/** Leads to the rest of them. */
	all?: ReactNode;
	children: ReactNode;
};

/** Rows of a kind under its name. */
function Group({ name, total, all, children }: GroupProps) {
	return (
		<div className="home-group">
			<h3 className="label">
				{name}
				{total !== undefined && <span className="home-count"> {formatCount(total)}</span>}
			</h3>
			<ul>{children}</ul>
			{all && <p className="home-all">{all}</p>}
		</div>
	);
}

type RowProps = {
	lead: ReactNode;
	note?: ReactNode;
	/** A few words that stand at its end. */
	aside?: ReactNode;
	acts?: ReactNode;
};

/** One thing: where it leads, what is to be known of it, and what can be done with it at once. */
function Row({ lead, note, aside, acts }: RowProps) {
	return (
		<li className="home-row">
			<div>
				<div>{lead}</div>
				{note && <p className="home-note">{note}</p>}
			</div>
			{aside && <p className="home-note">{aside}</p>}
			{acts && <div className="row-actions">{acts}</div>}
		</li>
	);
}

/** Returns the link to all of a kind, where some are not shown. */
const rest = (
	{ total, rows }: { total: number; rows: unknown[] },
	to: string,
	query: Record<string, string>,
	words: string,
) =>
	total > rows.length && (
		<ScreenLink to={to} query={query}>
			{`All ${formatCount(total)} ${words}`}
		</ScreenLink>
	);

const openPost = ({ id, title }: { id: string; title: string }) => (
	<ScreenLink className="link home-open" to="create" query={{ post: id }}>
		{title}
	</ScreenLink>
);

/** Words, and how long ago they were said. */
const wordsAgo = (words: string, at: string) => (
	<>
		{words} · <Ago at={at} />
	</>
);

const letterLink = (subject: string) => (
	<ScreenLink className="link home-open" to="newsletter" query={{ part: 'letters' }}>
		{subject}
	</ScreenLink>
);

const rowsBelow = (heading: HTMLElement | null) => [
	...(heading?.parentElement?.querySelectorAll('.home-row') ?? []),
];

function Waits({ home: { waits, at }, reload }: { home: Home; reload: () => void }) {
	const { busy, run } = useSubmit('That did not work');
	const heading = useRef<HTMLHeadingElement>(null);
	/** Which row the button was in that was pressed. */
	const acted = useRef(-1);
	const { issue, letters, comments, messages, reviews, mail, scheduled } = waits;
	const build = useLastBuild(waits.build);
	useEffect(() => {
		// The button that was pressed went with its row: the one that took its place is next.
		if (acted.current >= 0 && (!document.activeElement || document.activeElement === document.body))
			(rowsBelow(heading.current)[acted.current]?.querySelector('a') ?? heading.current)?.focus();
		acted.current = -1;
	}, [waits]);

	/** Does something that takes a row away, and tells it. */
	const act = (work: () => Promise<Parameters<typeof toast>[0]>) =>
		void run(async () => {
			const rows = rowsBelow(heading.current);
			const at = rows.findIndex((row) => row.contains(document.activeElement));
			toast(await work());
			acted.current = at < 0 ? rows.length : at;
			reload();
			countAgain();
		});
	const putBack = (before: Record<string, CommentState>) => async () => {
		await Promise.all(
			Object.entries(before).map(([id, state]) =>
				callAsAdmin(decideComments, { ids: [id], state }),
			),
		);
		return { title: 'Undone' };
	};
	const decide = (id: string, state: CommentState, title: string) =>
		act(async () => {
			const { before } = await callAsAdmin(decideComments, { ids: [id], state });
			return { title, action: { label: 'Undo', run: () => act(putBack(before)) } };
		});
	const button = (label: string, about: string, onClick: () => void) => (
		<button type="button" aria-disabled={busy} onClick={onClick}>
			{label}
			<span className="sr-only"> {about}</span>
		</button>
	);
	const isQuiet =
		!issue &&
		!build &&
		letters.length === 0 &&
		[comments, messages, reviews, mail, scheduled].every(({ total }) => total === 0);
	return (
		<section aria-labelledby="home-waits">
			<h2 id="home-waits" ref={heading} tabIndex={-1}>
				What waits for you
			</h2>
			{isQuiet && <p className="text-muted">Nothing.</p>}
			{issue && (
				<Group name="Next issue">
					<Row
						lead={
							<ScreenLink className="link home-open" to="newsletter" query={{}}>
								{issue.waiting
									? `The issue of ${localDate(issue.waiting.date)} waits for your approval`
									: timeIn(issue.timeZone, issue.at)}
							</ScreenLink>
						}
						note={issueWords(issue)}
						acts={issue.waiting && <Approve issue={issue} busy={busy} act={act} />}
					/>
				</Group>
			)}
			{letters.length > 0 && (
				<Group name="Letters">
					{letters.map(({ id, subject, at: due, isPaused }) => (
						<Row
							key={id}
							lead={letterLink(subject)}
							note={
								isPaused ? (
									'Paused. Nobody else gets it until you resume it.'
								) : (
									<>
										Goes out <When at={due ?? at} hour />
									</>
								)
							}
						/>
					))}
				</Group>
			)}
			{comments.total > 0 && (
				<Group
					name="Comments"
					total={comments.total}
					all={rest(comments, 'comments', { state: 'waiting' }, 'that wait')}
				>
					{comments.rows.map(({ id, author, title, excerpt, at: since }) => (
						<Row
							key={id}
							lead={
								<ScreenLink className="link home-open" to="comments" query={{ state: 'waiting' }}>
									{`${author} on “${title}”`}
								</ScreenLink>
							}
							note={wordsAgo(excerpt, since)}
							acts={
								<>
									{button('Approve', `the comment of ${author}`, () =>
										decide(id, 'visible', 'Comment approved'),
									)}
									{button('Hide', `the comment of ${author}`, () =>
										decide(id, 'hidden', 'Comment hidden'),
									)}
								</>
							}
						/>
					))}
				</Group>
			)}
			{messages.total > 0 && (
				<Group
					name="Messages"
					total={messages.total}
					all={rest(messages, 'messages', {}, 'unread')}
				>
					{messages.rows.map(({ id, name, topic, excerpt, at: since }) => (
						<Row
							key={id}
							lead={
								<ScreenLink className="link home-open" to="messages" query={{ message: id }}>
									{`${name}: ${topic}`}
								</ScreenLink>
							}
							note={wordsAgo(excerpt, since)}
						/>
					))}
				</Group>
			)}
			{reviews.total > 0 && (
				<Group
					name="Due for review"
					total={reviews.total}
					all={rest(reviews, 'posts', { state: 'due' }, 'that are due')}
				>
					{reviews.rows.map((post) => (
						<Row
							key={post.id}
							lead={openPost(post)}
							note={reviewWords(post, at)}
							acts={button('Reviewed', `“${post.title}”, nothing to change`, () =>
								act(async () => {
									await callAsAdmin(recordReview, { id: post.id });
									return { title: 'Marked as reviewed' };
								}),
							)}
						/>
					))}
				</Group>
			)}
			{mail.total > 0 && (
				<Group
					name="Failed mail"
					total={mail.total}
					all={rest(mail, 'mail', { state: 'failed' }, 'that failed')}
				>
					{mail.rows.map(({ id, kind, recipient, reason, at: since }) => (
						<Row
							key={id}
							lead={
								<ScreenLink className="link home-open" to="mail" query={{ state: 'failed' }}>
									{`${KIND_LABELS[kind] ?? kind}${recipient ? ` to ${recipient}` : ''}`}
								</ScreenLink>
							}
							note={wordsAgo(reason, since)}
							acts={button('Try again', `to send it to ${recipient ?? 'its reader'}`, () =>
								act(async () => {
									await callAsAdmin(retryDelivery, { id });
									return { title: 'Tried again' };
								}),
							)}
						/>
					))}
				</Group>
			)}
			{build && (
				<Group name="Build">
					<Row
						lead={
							<ScreenLink
								className="link home-open"
								to="settings"
								query={{ part: 'Earlier builds' }}
							>
								{build === 'live' ? 'The site shows what you saved' : BUILDS[build.state]}
							</ScreenLink>
						}
						note={
							build === 'live'
								? undefined
								: build.state === 'failed'
									? build.reason
									: build.doing || build.cause
						}
						acts={
							build !== 'live' &&
							build.state === 'failed' &&
							button('Build again', 'the site', () =>
								act(async () => {
									await callAsAdmin(startBuild, {});
									return { title: 'The site is built again' };
								}),
							)
						}
					/>
				</Group>
			)}
			{scheduled.total > 0 && (
				<Group
					name="Scheduled"
					total={scheduled.total}
					all={rest(scheduled, 'posts', { state: 'scheduled' }, 'that are due within a day')}
				>
					{scheduled.rows.map((post) => (
						<Row
							key={post.id}
							lead={openPost(post)}
							note={
								<>
									{localTime(post.at)}, <Ago at={post.at} />
								</>
							}
						/>
					))}
				</Group>
			)}
		</section>
	);
}

const BUILDS = {
	queued: 'A build waits to begin',
	building: 'The site is being built',
	failed: 'The last build failed: readers see the one before',
};

/** Returns the build that is told of. One that was told of and is live by now keeps its row, so that nothing moves by itself. */
function useLastBuild(build: Home['waits']['build']) {
	const [told, setTold] = useState(build);
	if (build && build !== told) setTold(build);
	return build ?? (told && 'live');
}

type ApproveProps = {
	issue: NonNullable<Home['waits']['issue']>;
	busy: boolean;
	act: (work: () => Promise<{ title: string; description?: string }>) => void;
};

function Approve({ issue: { recipients }, busy, act }: ApproveProps) {
	const [asking, setAsking] = useState(false);
	const { isKept } = useTransport();
	const people = plural(recipients, 'person', 'people');
	return (
		<>
			<button type="button" onClick={() => setAsking(true)}>
				Send it
			</button>
			<SendQuestion
				open={asking}
				title={`Send the issue to ${people}?`}
				label={`Send to ${people}`}
				busy={busy}
				onClose={() => setAsking(false)}
				onSend={() => {
					setAsking(false);
					act(async () => {
						await callAsAdmin(approveIssue, {});
						return isKept
							? {
									title: 'The issue is kept as files on this machine',
									description: 'Nothing is sent.',
								}
							: { title: 'The issue goes out', description: 'As soon as its page is built.' };
					});
				}}
			/>
		</>
	);
}

function Writing({ posts }: { posts: Home['writing'] }) {
	return (
		<section aria-labelledby="home-writing" className="home-writing">
			<div className="home-head">
				<h2 id="home-writing">Go on writing</h2>
				<Button onClick={() => openScreen('create', {})}>Write</Button>
			</div>
			{posts.length > 0 && (
				<ul>
					{posts.map((post) => (
						<Row
							key={post.id}
							lead={openPost(post)}
							note={
								<>
									<PostBadge state={post.state} />{' '}
									{post.hasChanges && <span className="badge badge-wait">Unpublished changes</span>}{' '}
									{plural(post.words, 'word')}, {post.by}, <Ago at={post.editedAt} />
								</>
							}
						/>
					))}
				</ul>
			)}
		</section>
	);
}

function Happened({ happened, since }: Pick<Home, 'happened' | 'since'>) {
	const { published, letters, readers, comments, read, drafts } = happened;
	const people = readersWords(readers);
	const isQuiet =
		published.total + letters.length + comments + read.length + drafts.total === 0 && !people;
	return (
		<section aria-labelledby="home-happened">
			<h2 id="home-happened">{since.isVisit ? 'Since your last visit' : 'In the last 7 days'}</h2>
			{since.isVisit && (
				<p className="home-note">
					<When at={since.at} hour />
				</p>
			)}
			{isQuiet && <p className="text-muted">Nothing new.</p>}
			{published.total > 0 && (
				<Group
					name="Published"
					total={published.total}
					all={rest(published, 'posts', { state: 'published', sort: '-published' }, 'articles')}
				>
					{published.rows.map((post) => (
						<Row key={post.id} lead={openPost(post)} aside={<Ago at={post.at} />} />
					))}
				</Group>
			)}
			{letters.length > 0 && (
				<Group name="Letters">
					{letters.map(({ id, subject, recipients, at }) => (
						<Row
							key={id}
							lead={letterLink(subject)}
							note={
								<>
									To {plural(recipients, 'person', 'people')}, <Ago at={at} />
								</>
							}
						/>
					))}
				</Group>
			)}
			{(people || comments > 0) && (
				<Group name="Readers">
					{people && (
						<Row
							lead={
								<ScreenLink className="link home-open" to="subscribers" query={{}}>
									{people}
								</ScreenLink>
							}
						/>
					)}
					{comments > 0 && (
						<Row
							lead={
								<ScreenLink className="link home-open" to="comments" query={{}}>
									{plural(comments, 'new comment')}
								</ScreenLink>
							}
						/>
					)}
				</Group>
			)}
			{read.length > 0 && (
				<Group name="Most read">
					{read.map(({ key, label, views }) => (
						<Row
							key={key}
							lead={
								<ScreenLink className="link home-open" to="numbers" query={{ path: key }}>
									{label}
								</ScreenLink>
							}
							aside={plural(views, 'view')}
						/>
					))}
				</Group>
			)}
			{drafts.total > 0 && (
				<Group name="By programs" total={drafts.total}>
					{drafts.rows.map((post) => (
						<Row
							key={post.id}
							lead={openPost(post)}
							note={
								<>
									Begun by {post.program}, <Ago at={post.at} />
								</>
							}
						/>
					))}
				</Group>
			)}
		</section>
	);
}
