import { Field } from '#src/components/ui/Field.tsx';
import { SITE_LABELS } from '#src/core/settings/site-form.ts';

type Props = { value: string; error: string | undefined; onChange: (zone: string) => void };

/** The time zone that the letter's hour is read in. */
export function TimeZoneField({ value, error, onChange }: Props) {
	const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
	const known = value === '' || zones.includes(value) ? zones : [value, ...zones];
	return (
		<Field
			type="select"
			label={SITE_LABELS.timeZone}
			name="timeZone"
			value={value}
			error={error}
			hint="The letter leaves at its hour in this zone."
			options={[{ value: '', label: 'The server’s, DIGEST_TIME_ZONE' }, ...known]}
			onChange={({ currentTarget }) => onChange(currentTarget.value)}
		/>
	);
}
