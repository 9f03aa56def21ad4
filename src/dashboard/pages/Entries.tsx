import { Field } from '#src/components/ui/Field.tsx';
import { AddButton, OrderedList } from '#src/dashboard/site/OrderedList.tsx';
import type { Question, Testimonial } from '#src/features/pages/page.ts';

type Props<Entry> = {
	entries: Entry[];
	errors: Record<string, string>;
	onChange: (entries: Entry[]) => void;
};

/** The questions of a page, in their order. */
export function Questions({ entries, errors, onChange }: Props<Question>) {
	const change = (index: number, changes: Partial<Question>) =>
		onChange(entries.with(index, { ...entries[index]!, ...changes }));
	return (
		<fieldset className="versioned-part">
			<legend>Questions</legend>
			<p className="field-hint">
				Search engines read them as well. Alt with an arrow key moves one.
			</p>
			<OrderedList
				label="Questions"
				items={entries}
				nameOf={({ question }, index) => question || `question ${index + 1}`}
				onChange={onChange}
				removable
			>
				{({ question, answer }, index) => (
					<div className="page-entry">
						<Field
							label="Question"
							value={question}
							error={errors[`questions.${index}.question`]}
							onChange={({ currentTarget }) => change(index, { question: currentTarget.value })}
						/>
						<Field
							type="textarea"
							rows={4}
							label="Answer"
							value={answer}
							error={errors[`questions.${index}.answer`]}
							onChange={({ currentTarget }) => change(index, { answer: currentTarget.value })}
						/>
					</div>
				)}
			</OrderedList>
			<ListError message={errors['questions']} />
			<AddButton onAdd={() => onChange([...entries, { question: '', answer: '' }])}>
				Add a question
			</AddButton>
		</fieldset>
	);
}

const RATINGS = ['5', '4', '3', '2', '1'];

/** The testimonials of a page, in their order. */
export function Testimonials({ entries, errors, onChange }: Props<Testimonial>) {
	const change = (index: number, changes: Partial<Testimonial>) =>
		onChange(entries.with(index, { ...entries[index]!, ...changes }));
	const none = { name: '', role: '', content: '', rating: 5, invented: false };
	return (
		<fieldset className="versioned-part">
			<legend>Testimonials</legend>
			<p className="field-hint">
				Invented ones are only shown while invented proof is on. Those that readers wrote are always
				shown.
			</p>
			<OrderedList
				label="Testimonials"
				items={entries}
				nameOf={({ name }, index) => name || `testimonial ${index + 1}`}
				onChange={onChange}
				removable
			>
				{({ name, role, content, rating, invented }, index) => (
					<div className="page-entry">
						<Field
							type="textarea"
							rows={4}
							label="Words"
							value={content}
							error={errors[`testimonials.${index}.content`]}
							onChange={({ currentTarget }) => change(index, { content: currentTarget.value })}
						/>
						<div className="page-entry-who">
							<Field
								label="Name"
								value={name}
								error={errors[`testimonials.${index}.name`]}
								onChange={({ currentTarget }) => change(index, { name: currentTarget.value })}
							/>
							<Field
								label="Role"
								value={role}
								error={errors[`testimonials.${index}.role`]}
								onChange={({ currentTarget }) => change(index, { role: currentTarget.value })}
							/>
							<Field
								type="select"
								label="Out of 5"
								value={String(rating)}
								options={RATINGS.map((value) => ({ value, label: value }))}
								onChange={({ currentTarget }) =>
									change(index, { rating: Number(currentTarget.value) })
								}
							/>
						</div>
						<label className="check">
							<input
								type="checkbox"
								checked={invented}
								onChange={({ currentTarget }) => change(index, { invented: currentTarget.checked })}
							/>
							Invented
						</label>
					</div>
				)}
			</OrderedList>
			<ListError message={errors['testimonials']} />
			<AddButton onAdd={() => onChange([...entries, none])}>Add a testimonial</AddButton>
		</fieldset>
	);
}

function ListError({ message }: { message: string | undefined }) {
	if (message === undefined) return null;
	return (
		<p role="alert" className="field-error">
			{message}
		</p>
	);
}
