type ChoicesProps<Value extends string> = {
	legend: string;
	/** Whether a heading above says the same to those who see it. */
	hidesLegend?: boolean;
	/** Name of the radio buttons, unique on the page. */
	name: string;
	choices: readonly { value: Value; label: string; hint?: string }[];
	chosen: Value;
	onChoose: (value: Value) => void;
};

/** Offers choices of which one holds, each with a hint if it has one. */
export function Choices<Value extends string>({
	legend,
	hidesLegend,
	name,
	choices,
	chosen,
	onChoose,
}: ChoicesProps<Value>) {
	return (
		<fieldset className="choices">
			<legend className={hidesLegend ? 'sr-only' : undefined}>{legend}</legend>
			{choices.map(({ value, label, hint }) => (
				<label key={value}>
					<input
						type="radio"
						name={name}
						checked={value === chosen}
						onChange={() => onChoose(value)}
					/>
					{hint === undefined ? (
						<span>{label}</span>
					) : (
						<span>
							<strong>{label}</strong>
							<span className="field-hint">{hint}</span>
						</span>
					)}
				</label>
			))}
		</fieldset>
	);
}
