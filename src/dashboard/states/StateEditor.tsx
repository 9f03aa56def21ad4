import { Field } from '#src/components/ui/Field.tsx';
import { inputsOf } from '#src/dashboard/records/inputs.tsx';
import { RecordEditor, type FieldsProps } from '#src/dashboard/records/RecordEditor.tsx';
import {
	ANSWERS,
	LIST_NAMES,
	STATE,
	type EditedState,
	type StateForm,
} from '#src/features/states/editing.ts';
import { FiguresField } from './FiguresField.tsx';
import { ListField } from './ListField.tsx';
import { stateWritings } from './state.store.ts';

type Props = { slug: string; onClose: () => void };

/** The form of one state. */
export function StateEditor({ slug, onClose }: Props) {
	return (
		<div className="states-desk">
			<RecordEditor desk={stateWritings} slug={slug} onClose={onClose}>
				{(props) => <StateFields {...props} />}
			</RecordEditor>
		</div>
	);
}

function StateFields({ form, errors, setForm }: FieldsProps<EditedState, StateForm>) {
	const { text } = inputsOf(STATE.labels, { form, errors, setForm });
	return (
		<>
			<FiguresField
				figures={form.figures}
				errors={errors}
				onChange={(figures) => setForm({ figures })}
			/>
			<fieldset className="versioned-part">
				<legend>Texts</legend>
				{text('capital')}
				{text('description', { rows: 7 })}
				{text('startupEcosystem', { rows: 6 })}
				{text('metaTitle')}
				{text('metaDescription', { rows: 3 })}
			</fieldset>
			<fieldset className="versioned-part">
				<legend>{STATE.labels.answers}</legend>
				{(Object.keys(ANSWERS) as (keyof typeof ANSWERS)[]).map((key) => (
					<Field
						key={key}
						type="textarea"
						rows={4}
						label={ANSWERS[key]}
						value={form.answers[key] ?? ''}
						error={errors[`answers.${key}`]}
						onChange={({ currentTarget }) =>
							setForm({ answers: { ...form.answers, [key]: currentTarget.value } })
						}
					/>
				))}
			</fieldset>
			{LIST_NAMES.map((name) => (
				<ListField
					key={name}
					label={STATE.labels[name]}
					name={name}
					items={form[name]}
					errors={errors}
					onChange={(items) => setForm({ [name]: items })}
				/>
			))}
		</>
	);
}
