import { column } from '#src/components/ui/DataTable.tsx';
import { aroundNow, localDate, localTimeZone } from '#src/lib/dates.ts';

type Props = {
	at: string | null;
	/** Says the hour as well: of what is due, or happens several times a day. */
	hour?: boolean;
};

/** A time in a list: its date, how far that is from now, and in its title the day, the hour and the zone. */
export function When({ at, hour = false }: Props) {
	if (!at) return '—';
	return (
		<time
			className="when"
			dateTime={at}
			title={`${localDate(at, 'full', 'short')} (${localTimeZone()})`}
		>
			<span>{localDate(at, 'medium', hour ? 'short' : undefined)}</span>{' '}
			<span className="text-muted">{aroundNow(at, new Date())}</span>
		</time>
	);
}

/** A time within a sentence: how far it is from now, or its date where that is far; in its title the day, the hour and the zone. */
export function Ago({ at }: { at: string }) {
	return (
		<time
			className="whitespace-nowrap"
			dateTime={at}
			title={`${localDate(at, 'full', 'short')} (${localTimeZone()})`}
		>
			{aroundNow(at, new Date()) || localDate(at, 'medium')}
		</time>
	);
}

/** Returns the column that a list is sorted by at first: when each row was made. */
export const createdColumn = <Row extends { createdAt: string }>(label: string) =>
	column<Row>(
		'created',
		label,
		({ createdAt }) => <When at={createdAt} />,
		'sortable',
		'end',
		'wide',
	);
