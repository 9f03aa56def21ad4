import { useId, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';

type Props = {
	/** Labels that there are, which are offered. */
	known: readonly string[];
	label: string;
	/** The answers; each gets the label. */
	answers: { text: string; work: (label: string) => Promise<unknown> }[];
};

/** A field for a label, with those that there are, and what is done with it. */
export function LabelForm({ known, label, answers }: Props) {
	const id = useId();
	const [typed, setTyped] = useState('');
	const { errors, failure, busy, run, forget } = useSubmit();
	const error = errors['label'] ?? failure;
	const answer = (work: (label: string) => Promise<unknown>) =>
		void run(async () => {
			await work(typed);
			setTyped('');
		});
	return (
		<form
			className="label-form"
			onSubmit={(event) => {
				event.preventDefault();
				answer(answers[0]!.work);
			}}
		>
			<div className="field">
				<label htmlFor={id}>{label}</label>
				<input
					id={id}
					list={`${id}-known`}
					value={typed}
					autoComplete="off"
					required
					maxLength={60}
					aria-invalid={Boolean(error)}
					aria-describedby={error ? `${id}-error` : undefined}
					onChange={(event) => {
						forget();
						setTyped(event.currentTarget.value);
					}}
				/>
				<datalist id={`${id}-known`}>
					{known.map((one) => (
						<option key={one} value={one} />
					))}
				</datalist>
				{error && (
					<span id={`${id}-error`} role="alert" className="field-error">
						{error}
					</span>
				)}
			</div>
			{answers.map(({ text, work }, index) => (
				<Button
					key={text}
					type={index === 0 ? 'submit' : 'button'}
					variant="quiet"
					busy={busy}
					onClick={(event) => {
						if (index === 0) return;
						if (event.currentTarget.form?.reportValidity()) answer(work);
					}}
				>
					{text}
				</Button>
			))}
		</form>
	);
}
