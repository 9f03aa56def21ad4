import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { Fold } from '#src/dashboard/kit/Fold.tsx';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { inputsOf } from '#src/dashboard/records/inputs.tsx';
import { RecordEditor, type FieldsProps } from '#src/dashboard/records/RecordEditor.tsx';
import { deleteState } from '#src/features/states/editing.api.ts';
import {
	ANSWERS,
	LIST_NAMES,
	STATE,
	type EditedState,
	type StateForm,
} from '#src/features/states/editing.ts';
import { plural } from '#src/lib/text.ts';
import { FiguresField } from './FiguresField.tsx';
import { ListField } from './ListField.tsx';
import { stateWritings } from './state.store.ts';

const TEXTS = ['capital', 'description', 'startupEcosystem', 'metaTitle', 'metaDescription'];

type Props = { slug: string; onClose: () => void; onMoved: (slug: string) => void };

/** The form of one state. */
export function StateEditor({ slug, onClose, onMoved }: Props) {
	const { busy, run } = useSubmit('Not deleted');
	const remove = ({ name }: EditedState) =>
		run(async () => {
			const { undo } = await callAsAdmin(deleteState, { slug });
			stateWritings.$writings.setKey(slug, undefined);
			onClose();
			tellUndoable({ title: `${name} deleted` }, undo, () => onMoved(slug));
		});
	return (
		<div className="states-desk">
			<RecordEditor desk={stateWritings} slug={slug} onClose={onClose}>
				{(props) => (
					<>
						<StateFields {...props} />
						<p>
							<Button variant="quiet" busy={busy} onClick={() => void remove(props.base)}>
								Delete this state
							</Button>
						</p>
					</>
				)}
			</RecordEditor>
		</div>
	);
}

function StateFields({ form, errors, setForm }: FieldsProps<EditedState, StateForm>) {
	const { text } = inputsOf(STATE.labels, { form, errors, setForm });
	const isRefused = (...names: string[]) =>
		Object.keys(errors).some((path) => names.includes(path.split('.', 1)[0]!));
	return (
		<>
			<Fold name="Figures" heading="h3" isNeeded={isRefused('figures')}>
				<FiguresField
					figures={form.figures}
					errors={errors}
					onChange={(figures) => setForm({ figures })}
				/>
			</Fold>
			<Fold name="Texts" heading="h3" isNeeded={isRefused(...TEXTS)}>
				{text('capital')}
				{text('description', { rows: 7 })}
				{text('startupEcosystem', { rows: 6 })}
				{text('metaTitle')}
				{text('metaDescription', { rows: 3 })}
			</Fold>
			<Fold name={STATE.labels.answers} heading="h3" isSeldom isNeeded={isRefused('answers')}>
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
			</Fold>
			{LIST_NAMES.map((name) => (
				<Fold
					key={name}
					name={STATE.labels[name]}
					heading="h3"
					note={plural(form[name].length, 'entry', 'entries')}
					isSeldom
					isNeeded={isRefused(name)}
				>
					<ListField
						label={STATE.labels[name]}
						name={name}
						items={form[name]}
						errors={errors}
						onChange={(items) => setForm({ [name]: items })}
					/>
				</Fold>
			))}
		</>
	);
}
