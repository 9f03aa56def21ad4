import { useEffect, useId, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { call, type Endpoint } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { HONEYPOT, STARTED_AT, type Field, type FormSpec } from '#src/lib/form.ts';

type Props<In extends object, Out> = {
	endpoint: Endpoint<In, Out>;
	form: FormSpec;
	/** Values of hidden fields. */
	hidden?: Record<string, string>;
	/** The button's words while the form is being sent. */
	busy: string;
	/** Title over a refusal's message. */
	failed?: string;
	onSuccess: (answer: Out) => void;
	children?: ReactNode;
	className?: string;
};

/**
 * A public form: a plain POST until it is hydrated and without JavaScript; then it posts in place.
 * Whatever goes wrong, what was typed stays.
 */
export function Form<In extends object, Out>(props: Props<In, Out>) {
	const { endpoint, form, hidden = {}, busy, failed, onSuccess, children, className } = props;
	const id = useId();
	const startedAt = useRef<number>(undefined);
	const [sending, setSending] = useState(false);
	const [error, setError] = useState<AppError | Error | null>(null);
	const fields = error instanceof AppError ? (error.fields ?? {}) : {};

	/** Whether the refusal stands beside a field that people see. */
	const shown = form.fields.some(({ name, type }) => type !== 'hidden' && name in fields);

	useEffect(() => {
		startedAt.current ??= Date.now();
	}, []);

	async function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (sending) return;
		const element = event.currentTarget;
		const input = { ...Object.fromEntries(new FormData(element)), [STARTED_AT]: startedAt.current };
		setSending(true);
		setError(null);
		try {
			// The server parses what people typed; its messages come back by field.
			const answer = await call(endpoint, input as unknown as In);
			element.reset();
			onSuccess(answer);
		} catch (problem) {
			setError(problem instanceof Error ? problem : new Error(String(problem)));
			const first = problem instanceof AppError && Object.keys(problem.fields ?? {})[0];
			if (first) element.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
		} finally {
			setSending(false);
		}
	}

	return (
		<form
			method="post"
			action={endpoint.path}
			onSubmit={send}
			className={className ?? 'grid gap-4'}
		>
			{form.fields.map((field) => (
				<Control
					key={field.name}
					field={field}
					id={`${id}-${field.name}`}
					value={hidden[field.name]}
					error={fields[field.name]}
				/>
			))}
			<div className="trap" aria-hidden="true">
				<label>
					Leave this empty <input name={HONEYPOT} tabIndex={-1} autoComplete="off" />
				</label>
			</div>
			<button className="button justify-self-start" aria-disabled={sending}>
				{sending ? busy : form.submit}
			</button>
			{error && !shown && (
				<p role="alert" className="field-error">
					{failed && <strong>{failed}: </strong>}
					{messageOf(error)}
				</p>
			)}
			{children}
		</form>
	);
}

type ControlProps = {
	field: Field;
	id: string;
	value: string | undefined;
	error: string | undefined;
};

function Control({ field, id, value, error }: ControlProps) {
	const { name, label, type, maxLength, required, autoComplete, options } = field;
	if (type === 'hidden')
		return value === undefined ? null : <input type="hidden" name={name} value={value} />;
	const shared = {
		id,
		name,
		required,
		autoComplete,
		'aria-invalid': error !== undefined,
		'aria-describedby': error === undefined ? undefined : `${id}-error`,
	};
	return (
		<div className="field">
			<label htmlFor={id}>{label}</label>
			{type === 'textarea' ? (
				<textarea {...shared} maxLength={maxLength} rows={5} />
			) : type === 'select' ? (
				<select {...shared}>
					{options?.map((option) => (
						<option key={option}>{option}</option>
					))}
				</select>
			) : (
				<input {...shared} maxLength={maxLength} type={type} />
			)}
			{error !== undefined && (
				<span id={`${id}-error`} role="alert" className="field-error">
					{error}
				</span>
			)}
		</div>
	);
}
