import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import {
	CONFIRM_SIGNUP,
	LETTER_CADENCES,
	LETTER_DAYS,
	LETTER_HOURS,
	type SettingsChange,
} from '#src/core/settings/setting.ts';
import { Fold } from '#src/dashboard/kit/Fold.tsx';
import { useSettings } from '#src/dashboard/settings/useSettings.tsx';
import { messageOf } from '#src/lib/errors.ts';

const CADENCES: Record<(typeof LETTER_CADENCES)[number], string> = {
	weekly: 'Every week',
	fortnightly: 'Every other week',
	monthly: 'Once a month, the first such day',
};

const SIGNUPS: Record<(typeof CONFIRM_SIGNUP)[number], string> = {
	off: 'Begins at once',
	on: 'Is confirmed by email first',
};

const hourLabel = (hour: string) => (hour === '' ? 'The server’s, DIGEST_HOUR' : `${hour}:00`);
const wordsOf = (value: string) =>
	CADENCES[value as keyof typeof CADENCES] ??
	SIGNUPS[value as keyof typeof SIGNUPS] ??
	(LETTER_HOURS.some((hour) => hour === value) ? hourLabel(value) : value);

type Props = {
	/** When the next issue is due. */
	due: { at: string; timeZone: string } | undefined;
	onSaved: () => void;
};

/** When the newsletter goes out, and to whom. */
export function Schedule({ due, onSaved }: Props) {
	const { stored: answer, error, reload, save, choice } = useSettings(wordsOf);

	async function change(changes: SettingsChange, applies = 'Applies to the next issue.') {
		try {
			await save(changes);
			toast({ title: 'Saved', description: applies });
			onSaved();
		} catch (problem) {
			toast({ title: 'Not saved', description: messageOf(problem), destructive: true });
		}
	}
	const field = <Key extends 'letterCadence' | 'letterDay' | 'letterHour'>(
		key: Key,
		label: string,
		options: { value: string; label: string }[],
	) => (
		<Field
			label={label}
			type="select"
			value={answer?.[key] ?? ''}
			options={options}
			onChange={({ currentTarget }) => void change({ [key]: currentTarget.value })}
		/>
	);
	return (
		<Fold
			name="Schedule"
			note={
				answer &&
				`${CADENCES[answer.letterCadence]}, ${answer.letterDay}`.replace(', the first such day', '')
			}
			isNeeded={error !== undefined}
		>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!answer && error === undefined && <Skeleton label="Loading the schedule" rows={1} />}
			{choice}
			{answer && (
				<>
					<div className="mt-4 flex flex-wrap gap-4">
						{field(
							'letterCadence',
							'How often',
							LETTER_CADENCES.map((value) => ({ value, label: CADENCES[value] })),
						)}
						{field(
							'letterDay',
							'Day',
							LETTER_DAYS.map((value) => ({ value, label: value })),
						)}
						{field(
							'letterHour',
							'Hour',
							LETTER_HOURS.map((value) => ({
								value,
								label:
									value === '' && answer.letterHour === '' && due
										? `${hourIn(due)}:00, set on the server`
										: hourLabel(value),
							})),
						)}
					</div>
					<p className="field-hint mt-2">In the site’s time zone{due && `, ${due.timeZone}`}.</p>
					<div className="mt-6 max-w-sm">
						<Field
							label="A signup"
							type="select"
							value={answer.confirmSignup}
							options={CONFIRM_SIGNUP.map((value) => ({ value, label: SIGNUPS[value] }))}
							onChange={({ currentTarget }) =>
								void change(
									{ confirmSignup: currentTarget.value as (typeof CONFIRM_SIGNUP)[number] },
									'Applies to every form from now on.',
								)
							}
						/>
					</div>
					<p className="field-hint mt-2">
						Confirmed first, the letter, the course and downloads wait for a press on a button
						behind a link that is emailed once, or twice to whoever asks again. What nobody confirms
						within 7 days is forgotten. How somebody agreed stands under Subscribers and in their
						export.
					</p>
				</>
			)}
		</Fold>
	);
}

/** Returns the hour of a day at which something is due. */
const hourIn = ({ at, timeZone }: { at: string; timeZone: string }) =>
	Number(
		new Intl.DateTimeFormat('en-US', { hour: 'numeric', hourCycle: 'h23', timeZone }).format(
			new Date(at),
		),
	);
