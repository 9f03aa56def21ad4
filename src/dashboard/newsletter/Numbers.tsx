import { BarPlot } from '#src/components/ui/BarPlot.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { openScreen } from '#src/dashboard/kit/address.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { When } from '#src/dashboard/kit/When.tsx';
import { listLetters } from '#src/features/newsletter/letters.api.ts';
import { countAllSubscribers } from '#src/features/newsletter/subscribers.api.ts';
import { SUBSCRIBER_STATES } from '#src/features/newsletter/subscribers.ts';
import { getStats } from '#src/features/stats/stats.api.ts';
import { axisTop, sum, toBars } from '#src/features/stats/stats.ts';
import { longDate } from '#src/lib/dates.ts';
import { formatCount, plural } from '#src/lib/text.ts';
import { STATE_LABELS } from '#src/dashboard/subscribers/states.tsx';

const NOTHING = {};
const DAYS = { days: 90 } as const;

/** Numbers of subscribers and signups, and of each letter. */
export function Numbers() {
	const counts = useAnswer(countAllSubscribers, NOTHING);
	const stats = useAnswer(getStats, DAYS);
	const letters = useAnswer(listLetters, NOTHING);
	const error = counts.error ?? stats.error ?? letters.error;
	if (error !== undefined)
		return (
			<SectionError
				message={error}
				onRetry={() => {
					counts.reload();
					stats.reload();
					letters.reload();
				}}
			/>
		);
	if (!counts.answer || !stats.answer || !letters.answer)
		return <Skeleton label="Loading numbers" rows={6} />;
	const { states } = counts.answer;
	const { signups, from } = stats.answer;
	const total = sum(signups);
	const bars = toBars(signups, from).map(({ from: day, value }) => ({
		label: longDate(day),
		value,
	}));
	return (
		<div className="grid gap-12">
			<section aria-labelledby="numbers-people">
				<h2 id="numbers-people">Subscribers</h2>
				<dl className="letter-figures mt-3">
					{SUBSCRIBER_STATES.map((state) => (
						<div key={state}>
							<dt className="label">{STATE_LABELS[state]}</dt>
							<dd>
								<button
									type="button"
									className="link"
									onClick={() => openScreen('subscribers', { state })}
								>
									{formatCount(states[state])}
								</button>
							</dd>
						</div>
					))}
				</dl>
			</section>
			<section aria-labelledby="numbers-signups">
				<h2 id="numbers-signups">Signups by day, 90 days</h2>
				{total === 0 ? (
					<p className="mt-3 text-muted">Nobody signed up in these days.</p>
				) : (
					<BarPlot
						title="Signups"
						summary={`${plural(total, 'signup')} in 90 days.`}
						bars={bars}
						top={axisTop(Math.max(...signups))}
					/>
				)}
				<p className="field-hint mt-2">
					Counted when they happen: who leaves later, or is erased, changes no day. Imports and
					people added by hand are not among them.
				</p>
			</section>
			<section aria-labelledby="numbers-letters">
				<h2 id="numbers-letters">Letters</h2>
				{letters.answer.letters.length === 0 ? (
					<p className="mt-3 text-muted">Nothing went out yet.</p>
				) : (
					<div
						className="data-scroll mt-3"
						tabIndex={0}
						role="group"
						aria-label="Letters in numbers"
					>
						<table className="data-table">
							<thead>
								<tr>
									<th scope="col">Letter</th>
									<th scope="col" className="data-end">
										Sent
									</th>
									<th scope="col" className="data-end">
										Articles opened
									</th>
									<th scope="col" className="data-end data-wide">
										Comments
									</th>
									<th scope="col" className="data-end data-wide">
										Refused
									</th>
								</tr>
							</thead>
							<tbody>
								{letters.answer.letters.map((letter) => (
									<tr key={letter.id}>
										<td>
											<span className="block break-words">{letter.subject}</span>
											<span className="text-muted">
												<When at={letter.createdAt} />
											</span>
										</td>
										<td className="data-end">{formatCount(letter.delivered)}</td>
										<td className="data-end">{formatCount(letter.readings)}</td>
										<td className="data-end data-wide">{formatCount(letter.comments)}</td>
										<td className="data-end data-wide">{formatCount(letter.failed)}</td>
									</tr>
								))}
							</tbody>
						</table>
					</div>
				)}
			</section>
		</div>
	);
}
