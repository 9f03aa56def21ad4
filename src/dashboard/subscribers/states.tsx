import { localDate } from '#src/lib/dates.ts';
import type { SubscriberRow, SubscriberState } from '#src/features/newsletter/subscribers.ts';

export const STATE_LABELS: Record<SubscriberState, string> = {
	active: 'Active',
	paused: 'Paused',
	left: 'Left',
	bounced: 'Bounced',
};
const BADGES: Record<SubscriberState, string> = {
	active: 'badge badge-on',
	paused: 'badge badge-wait',
	left: 'badge badge-off',
	bounced: 'badge badge-off',
};

/** Returns where a subscriber came from, in words. */
export const sourceOf = ({ source, imported }: Pick<SubscriberRow, 'source' | 'imported'>) =>
	source ??
	(imported ? `${imported.file ?? 'Imported'}, ${localDate(imported.at, 'medium')}` : 'Not known');

type Props = Pick<SubscriberRow, 'state' | 'leftAt' | 'pausedUntil'>;

/** The state of a subscriber, and since or until when. */
export function StateBadge({ state, leftAt, pausedUntil }: Props) {
	return (
		<>
			<span className={BADGES[state]}>{STATE_LABELS[state]}</span>
			{state === 'paused' && pausedUntil && (
				<span className="block text-sm text-muted">until {localDate(pausedUntil, 'medium')}</span>
			)}
			{leftAt && state !== 'active' && state !== 'paused' && (
				<span className="block text-sm text-muted">{localDate(leftAt, 'medium')}</span>
			)}
		</>
	);
}
