import { useState } from 'react';
import { Button, type ButtonVariant } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { useSubmit } from './useSubmit.ts';

type Props = {
	label: string;
	/** Its name, where the label stands for more than one. */
	'aria-label'?: string;
	variant?: ButtonVariant;
	/** Title of the question. */
	title: string;
	/** Consequences that cannot be taken back. */
	text: string;
	/** The answer that does it. */
	answer: string;
	work: () => Promise<unknown>;
};

/** A button that asks first, for what cannot be taken back. The second press of a double click is no answer. */
export function AskButton({ label, variant = 'quiet', title, text, answer, work, ...rest }: Props) {
	const [isAsking, setAsking] = useState(false);
	const { busy, reason, run, forget } = useSubmit();
	return (
		<>
			<Button
				{...rest}
				variant={variant}
				onClick={() => {
					forget();
					setAsking(true);
				}}
			>
				{label}
			</Button>
			<Dialog open={isAsking} onClose={() => setAsking(false)} title={title} closeLabel="Cancel">
				<p className="mb-4 text-muted">{text}</p>
				<Button
					variant={variant === 'danger' ? 'danger' : 'primary'}
					busy={busy}
					onClick={({ detail }) => {
						if (detail < 2)
							void run(async () => {
								await work();
								setAsking(false);
							});
					}}
				>
					{answer}
				</Button>
				<FieldError>{reason}</FieldError>
			</Dialog>
		</>
	);
}
