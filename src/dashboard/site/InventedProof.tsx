import type { SiteSettings } from '#src/site.ts';

type Value = SiteSettings['inventedProof'];
type Props = { value: Value; onChange: (value: Value) => void };

/** Turns invented figures and praise on or off. */
export function InventedProof({ value, onChange }: Props) {
	return (
		<div>
			<label className="site-section">
				<input
					type="checkbox"
					name="inventedProof"
					checked={value === 'on'}
					onChange={({ currentTarget }) => onChange(currentTarget.checked ? 'on' : 'off')}
				/>
				Invented proof
			</label>
			<p className="field-hint">
				Likes, numbers of readers and praise that nobody gave, to see how they look. Only a server
				that is a demonstration shows them.
			</p>
		</div>
	);
}
