import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { openScreen } from '#src/dashboard/kit/address.store.ts';
import { toast } from '#src/components/ui/toast.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { getDue } from '#src/features/due/due.api.ts';
import type { Due } from '#src/features/due/due.ts';
import { changeFeedback } from '#src/features/feedback/feedback.api.ts';
import type { Feedback, FeedbackState } from '#src/features/feedback/feedback.ts';
import { getEditedPost } from '#src/features/posts/editing.api.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { shortDate } from '#src/lib/dates.ts';
import { formatCount, plural } from '#src/lib/text.ts';

const NOTHING = {};

/** Work that is due besides articles: what readers miss, sources that answer no more, old figures, and code that prints something else. */
export function DueList() {
	const { answer, error, reload } = useAnswer(getDue, NOTHING);
	if (error !== undefined) return <SectionError message={error} onRetry={reload} />;
	if (!answer) return <Skeleton label="Loading what is due" rows={4} />;
	return (
		<div className="due-list">
			<Readers {...answer} reload={reload} />
			<Sources sources={answer.sources} />
			<Figures figures={answer.figures} />
			<Programs programs={answer.programs} />
		</div>
	);
}

type ReadersProps = Pick<Due, 'feedback' | 'asksReaders'> & { reload: () => void };

/** The answers of readers to the question under articles. */
function Readers({ feedback, asksReaders, reload }: ReadersProps) {
	const { busy, run } = useSubmit('That did not work');
	const change = (one: Feedback, state: FeedbackState, title: string) =>
		void run(async () => {
			await callAsAdmin(changeFeedback, { id: one.id, state });
			const undo = { label: 'Undo', run: () => change(one, one.state, 'Undone') };
			toast({ title, action: state === one.state ? undefined : undo });
			reload();
		});
	const button = (one: Feedback, state: FeedbackState, label: string, title: string) => (
		<button
			type="button"
			className="link"
			disabled={busy}
			onClick={() => change(one, state, title)}
		>
			{label}
			<span className="sr-only">: {one.words}</span>
		</button>
	);
	const listOf = (words: Feedback[]) => (
		<ul>
			{words.map((one) => (
				<li key={one.id}>
					<span className="whitespace-pre-line">{one.words}</span>
					<span className="label flex flex-wrap gap-x-4">
						{shortDate(one.createdAt)}
						{one.answer && `, answered ${one.answer}`}
						{one.state === 'done'
							? button(one, 'open', 'Open again', 'Opened again')
							: button(one, 'done', 'Done', 'Marked as done')}
						{button(one, 'deleted', 'Delete', 'Deleted')}
					</span>
				</li>
			))}
		</ul>
	);
	return (
		<section aria-labelledby="due-readers">
			<h2 id="due-readers">What readers miss</h2>
			{feedback.length === 0 && (
				<p className="text-muted">
					{asksReaders ? (
						'No reader has answered the question under an article yet.'
					) : (
						<>
							Articles can ask whether they answered their reader’s question. That is off; it is a
							switch under{' '}
							<button type="button" className="link" onClick={() => openScreen('site')}>
								Site
							</button>
							.
						</>
					)}
				</p>
			)}
			<ul>
				{feedback.map(({ words, yes, no, ...post }) => {
					const done = words.filter(({ state }) => state === 'done');
					return (
						<li key={post.id}>
							<OpenPost {...post} />
							<span className="label">
								{formatCount(yes)} yes, {formatCount(no)} no
							</span>
							{listOf(words.filter(({ state }) => state === 'open'))}
							{done.length > 0 && (
								<details>
									<summary>Done: {formatCount(done.length)}</summary>
									{listOf(done)}
								</details>
							)}
						</li>
					);
				})}
			</ul>
		</section>
	);
}

function Sources({ sources }: Pick<Due, 'sources'>) {
	return (
		<section aria-labelledby="due-sources">
			<h2 id="due-sources">Sources that do not answer</h2>
			{sources.length === 0 ? (
				<p className="text-muted">
					Every source that was asked answers. Each is asked once a week.
				</p>
			) : (
				<ul>
					{sources.map(({ url, said, checkedAt, articles }) => (
						<li key={url}>
							<a className="link" href={url} target="_blank" rel="noopener noreferrer">
								{url}
							</a>
							<span className="label">
								{said} Asked on {shortDate(checkedAt)}.
							</span>
							<span>
								Cited in {list(articles.map((one) => <OpenPost key={one.id} {...one} />))}
							</span>
						</li>
					))}
				</ul>
			)}
		</section>
	);
}

function Figures({ figures }: Pick<Due, 'figures'>) {
	const SHOWN = 4;
	return (
		<section aria-labelledby="due-figures">
			<h2 id="due-figures">Figures older than their source</h2>
			{figures.length === 0 ? (
				<p className="text-muted">No source should have published newer figures of the states.</p>
			) : (
				<ul>
					{figures.map(({ source, asOf, link, states }) => (
						<li key={`${source} ${asOf}`}>
							{link ? (
								<a className="link" href={link} target="_blank" rel="noopener noreferrer">
									{source}
								</a>
							) : (
								source
							)}
							<span className="label">
								As of {asOf}, in {plural(states.length, 'state')}: newer figures should be out.
							</span>
							<span>
								{list(
									states.slice(0, SHOWN).map(({ name, slug }) => (
										<button
											key={slug}
											type="button"
											className="link"
											onClick={() => openScreen('states', { state: slug })}
										>
											{name}
										</button>
									)),
								)}
								{states.length > SHOWN && ` and ${formatCount(states.length - SHOWN)} more`}
							</span>
						</li>
					))}
				</ul>
			)}
		</section>
	);
}

type Ref = Due['programs'][number];
type Result = Ref & { differing: number };

/** Runs the code of every article in this browser, with the runtime that readers have now. */
function Programs({ programs }: Pick<Due, 'programs'>) {
	const [done, setDone] = useState<number | null>(null);
	const [results, setResults] = useState<Result[]>([]);
	const [failed, setFailed] = useState<Ref[]>([]);

	async function runAll() {
		setResults([]);
		setFailed([]);
		setDone(0);
		for (const [index, post] of programs.entries()) {
			try {
				const { runPrograms } = await import('#src/dashboard/editor/publishing/programs.ts');
				const { form } = await callAsAdmin(getEditedPost, { id: post.id });
				const { differing } = await runPrograms(form.content);
				if (differing > 0) setResults((all) => [...all, { ...post, differing }]);
			} catch {
				setFailed((all) => [...all, post]);
			}
			setDone(index + 1);
		}
	}

	const isRunning = done !== null && done < programs.length;
	return (
		<section aria-labelledby="due-programs">
			<h2 id="due-programs">Code that prints something else</h2>
			{programs.length === 0 ? (
				<p className="text-muted">No article has code that readers can run.</p>
			) : (
				<Button variant="quiet" busy={isRunning} onClick={() => void runAll()}>
					Run the code of {plural(programs.length, 'article')}
				</Button>
			)}
			<p role="status" className="label">
				{done !== null &&
					(isRunning
						? `${formatCount(done)} of ${plural(programs.length, 'article')} run`
						: results.length + failed.length === 0
							? 'Everything prints what the text says.'
							: 'Done.')}
			</p>
			<ul>
				{results.map(({ differing, ...post }) => (
					<li key={post.id}>
						<OpenPost {...post} />
						<span className="label">
							{plural(differing, 'block')} of it {differing === 1 ? 'prints' : 'print'} something
							else than the text says.
						</span>
					</li>
				))}
				{failed.map((post) => (
					<li key={post.id}>
						<OpenPost {...post} />
						<span className="label">Its code could not be run.</span>
					</li>
				))}
			</ul>
		</section>
	);
}

function OpenPost({ id, title }: Ref) {
	return (
		<button type="button" className="link" onClick={() => openScreen('create', { post: id })}>
			{title}
		</button>
	);
}

/** Puts commas between elements. */
const list = (elements: React.ReactNode[]) =>
	elements.flatMap((element, index) => (index === 0 ? [element] : [', ', element]));
