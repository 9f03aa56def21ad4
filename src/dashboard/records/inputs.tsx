import { Field } from '#src/components/ui/Field.tsx';
import type { FieldsProps } from './RecordEditor.tsx';

type NamesOf<Form, Value> = keyof {
	[Name in keyof Form & string as Form[Name] extends Value ? Name : never]: Name;
} &
	string;
export type More = {
	type?: 'text' | 'email';
	/** Makes it several lines high. */
	rows?: number | undefined;
	placeholder?: string;
	hint?: string | undefined;
	required?: boolean;
	maxLength?: number;
	spellCheck?: boolean;
	onChange?: (event: { currentTarget: { value: string } }) => void;
};

/** Returns the inputs of a form's fields by their labels: a text, and a box that is checked or not. */
export function inputsOf<Form extends object>(
	labels: Readonly<Record<keyof Form & string, string>>,
	{ form, errors, setForm }: Pick<FieldsProps<unknown, Form>, 'form' | 'errors' | 'setForm'>,
) {
	const set = (name: string, value: unknown) => setForm({ [name]: value } as Partial<Form>);
	return {
		text: (name: NamesOf<Form, string>, { type = 'text', rows, ...more }: More = {}) => (
			<Field
				{...(rows ? { type: 'textarea' as const, rows } : { type })}
				label={labels[name]}
				name={name}
				value={form[name] as string}
				error={errors[name]}
				autoComplete="off"
				onChange={({ currentTarget }: { currentTarget: { value: string } }) =>
					set(name, currentTarget.value)
				}
				{...more}
			/>
		),
		box: (name: NamesOf<Form, boolean>, words: string = labels[name]) => (
			<label className="check">
				<input
					type="checkbox"
					checked={form[name] as boolean}
					onChange={({ currentTarget }) => set(name, currentTarget.checked)}
				/>
				{words}
			</label>
		),
	};
}
