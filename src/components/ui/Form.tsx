import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { call, parse, type Endpoint } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { HONEYPOT, STARTED_AT, type FormSpec } from '#src/lib/form.ts';
import { Button } from './Button.tsx';
import { Field } from './Field.tsx';
import { toast, type Notice } from './toast.store.ts';

type Props<In extends object, Out> = {
	endpoint: Endpoint<In, Out>;
	form: FormSpec;
	/** Values of hidden fields. */
	hidden?: Record<string, string>;
	/** The button's words while the form is being sent. */
	busy: string;
	/** An empty first field does nothing when it is sent, where the specification says so. */
	isIdleWhenEmpty?: boolean;
	/** The toast of a refusal, beside the message that stays with the form. */
	failure?: (error: unknown) => Notice;
	onSuccess: (answer: Out) => void;
	children?: ReactNode;
	className?: string;
};

/**
 * A public form: a plain POST until it is hydrated and without JavaScript; then it posts in place.
 * Whatever goes wrong, what was typed stays.
 */
export function Form<In extends object, Out>(props: Props<In, Out>) {
	const { endpoint, form, hidden = {}, busy, failure, onSuccess, children, className } = props;
	const { isIdleWhenEmpty = false } = props;
	const element = useRef<HTMLFormElement>(null);
	const startedAt = useRef<number>(undefined);
	const [sending, setSending] = useState(false);
	const [error, setError] = useState<AppError | Error | null>(null);
	const fields = error instanceof AppError ? (error.fields ?? {}) : {};

	/** Whether the refusal stands beside a field that people see. */
	const shown = form.fields.some(({ name, type }) => type !== 'hidden' && name in fields);

	useEffect(() => {
		startedAt.current ??= Date.now();
		// From here on the form says itself what is wrong; before, the browser does.
		element.current!.noValidate = true;
	}, []);

	async function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (sending) return;
		const target = event.currentTarget;
		const first = target.querySelector<HTMLInputElement>(`[name="${form.fields[0]!.name}"]`);
		if (isIdleWhenEmpty && first?.value.trim() === '') return first.focus();
		const input = { ...Object.fromEntries(new FormData(target)), [STARTED_AT]: startedAt.current };
		setSending(true);
		setError(null);
		try {
			parse(endpoint.input, input);
			// The server parses the same again, and knows rules that the browser does not.
			const answer = await call(endpoint, input as unknown as In);
			target.reset();
			onSuccess(answer);
		} catch (problem) {
			setError(problem instanceof Error ? problem : new Error(String(problem)));
			if (failure) toast({ ...failure(problem), destructive: true });
			const refused = problem instanceof AppError && Object.keys(problem.fields ?? {})[0];
			if (refused) target.querySelector<HTMLElement>(`[name="${refused}"]`)?.focus();
		} finally {
			setSending(false);
		}
	}

	return (
		<form
			ref={element}
			method="post"
			action={endpoint.path}
			onSubmit={send}
			className={className ?? 'grid gap-4'}
		>
			{form.fields.map(({ type, options = [], ...field }) => {
				const { name } = field;
				if (type === 'hidden')
					return (
						name in hidden && <input key={name} type="hidden" name={name} value={hidden[name]} />
					);
				const shared = { ...field, error: fields[name] };
				return type === 'select' ? (
					<Field key={name} {...shared} type={type} options={options} />
				) : (
					<Field key={name} {...shared} type={type} />
				);
			})}
			<div className="trap" aria-hidden="true">
				<label>
					Leave this empty <input name={HONEYPOT} tabIndex={-1} autoComplete="off" />
				</label>
			</div>
			<Button type="submit" className="justify-self-start" busy={sending}>
				{sending ? busy : form.submit}
			</Button>
			{error && !shown && (
				<p role="alert" className="field-error">
					{messageOf(error)}
				</p>
			)}
			{children}
		</form>
	);
}
