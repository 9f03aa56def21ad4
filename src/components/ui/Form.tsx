import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { call, parse, type Endpoint } from '#src/lib/endpoint.ts';
import { AppError, MESSAGES, messageOf } from '#src/lib/errors.ts';
import { ELAPSED, HONEYPOT, MIN_FILL_MS, type FormSpec } from '#src/lib/form.ts';
import { Button } from './Button.tsx';
import { Field } from './Field.tsx';
import { toast, type Notice } from './toast.store.ts';

type Props<In extends object, Out> = {
	endpoint: Endpoint<In, Out>;
	form: FormSpec;
	/** For controls elsewhere that belong to it. */
	id?: string;
	/** Id of what says, for screen readers, what the button sends. */
	titleId?: string;
	/** Values of hidden fields. */
	hidden?: Record<string, string>;
	/** Label of the button while the form is being sent. */
	busy: string;
	/** Sending with an empty first field does nothing, where product.md section 5 says so. */
	isIdleWhenEmpty?: boolean;
	/** The button is marked as disabled while a required field is empty. */
	isOffWhenEmpty?: boolean;
	/** Converts the fields to the payload, if it is not the fields as they are. */
	payload?: (typed: Record<string, string>) => object;
	/** Fields that stay filled in after the form was sent, as who is sending it. */
	keeps?: string[];
	/** Key under which the tab keeps what was typed until it is sent. */
	draft?: string;
	/** Shows the result before the server has responded. Returns the function that undoes this. */
	optimistic?: (input: In) => () => void;
	/** The toast of a refusal, besides the message in the form; undefined if that says it all. */
	failure?: (error: unknown) => Notice | undefined;
	/** Called with the response and what was typed. */
	onSuccess: (answer: Out, typed: Record<string, unknown>) => void;
	/** Controls of its own, after the fields and before the button. */
	choices?: ReactNode;
	/** The rest, after the button. */
	children?: ReactNode;
	className?: string;
};

/**
 * A public form: a plain POST before hydration and without JavaScript, then sent in place. What was typed is
 * never lost.
 */
export function Form<In extends object, Out>(props: Props<In, Out>) {
	const { id, titleId, endpoint, form, hidden = {}, busy, failure, onSuccess } = props;
	const { choices, children, className } = props;
	const {
		isIdleWhenEmpty = false,
		isOffWhenEmpty = false,
		payload,
		draft,
		keeps = [],
		optimistic,
	} = props;
	const element = useRef<HTMLFormElement>(null);
	const [isEmpty, setIsEmpty] = useState(false);
	const [sending, setSending] = useState(false);
	/** How long the page has been open, while a form that was sent too soon waits. */
	const [open, setOpen] = useState<number>();
	const [error, setError] = useState<AppError | Error | null>(null);
	const fields = error instanceof AppError ? (error.fields ?? {}) : {};

	/** Whether the refusal is shown beside a visible field. */
	const shown = form.fields.some(({ name, type }) => type !== 'hidden' && name in fields);

	useEffect(() => {
		if (draft) restoreTyped(element.current!, draft);
		look();
		// From here on the form shows its errors itself; before, the browser does.
		element.current!.noValidate = true;
	}, []);

	function look() {
		if (!isOffWhenEmpty) return;
		const required = element.current!.querySelectorAll<HTMLInputElement>('[required]');
		setIsEmpty([...required].some(({ value }) => value.trim() === ''));
	}

	function onInput() {
		look();
		if (draft) saveTyped(element.current!, draft);
	}

	async function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (sending) return;
		const target = event.currentTarget;
		const first = target.querySelector<HTMLInputElement>(`[name="${form.fields[0]!.name}"]`);
		if (isIdleWhenEmpty && first?.value.trim() === '') return first.focus();
		const typed = typedIn(new FormData(target));
		const robots = { [HONEYPOT]: typed[HONEYPOT], [ELAPSED]: 0 };
		const input = { ...(payload?.(typed) ?? typed), ...robots };
		let takeBack;
		setSending(true);
		setError(null);
		try {
			// The server parses the same again and knows rules that the browser does not.
			const parsed = parse(endpoint.input, input);
			takeBack = optimistic?.(parsed);
			input[ELAPSED] = await waitUntilSendable(setOpen);
			const answer = await call(endpoint, input as unknown as In);
			const { success, message } = answer as { success?: boolean; message?: string };
			if (success === false)
				throw new AppError(message ? 'validation' : 'unknown', message || MESSAGES.unknown);
			// Keeps what was typed meanwhile.
			const isAsSent = isTypedAs(target, typed);
			if (isAsSent) target.reset();
			onInput();
			if (isAsSent)
				for (const name of keeps)
					target.querySelector<HTMLInputElement>(`[name="${name}"]`)!.value = typed[name]!;
			onSuccess(answer, typed);
		} catch (problem) {
			takeBack?.();
			setError(problem instanceof Error ? problem : new Error(String(problem)));
			const notice = failure?.(problem);
			if (notice) toast({ ...notice, destructive: true });
			const refused = problem instanceof AppError && Object.keys(problem.fields ?? {})[0];
			if (refused) target.querySelector<HTMLElement>(`[name="${refused}"]`)?.focus();
		} finally {
			setSending(false);
			setOpen(undefined);
		}
	}

	return (
		<form
			ref={element}
			id={id}
			method="post"
			action={endpoint.path}
			onSubmit={send}
			onInput={onInput}
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
			<div className="sr-only" aria-hidden="true">
				<label>
					Leave this empty <input name={HONEYPOT} tabIndex={-1} autoComplete="off" {...IGNORED} />
				</label>
			</div>
			{choices}
			<Button
				type="submit"
				className="justify-self-start"
				aria-describedby={titleId}
				busy={sending}
				aria-disabled={sending || isEmpty}
			>
				{sending ? busy : form.submit}
			</Button>
			{open !== undefined && (
				<progress
					className="form-wait"
					aria-label="Sending in a moment"
					max={MIN_FILL_MS}
					value={open}
				/>
			)}
			{error && !shown && (
				<p role="alert" className="field-error">
					{messageOf(error)}
				</p>
			)}
			{children}
		</form>
	);
}

/** Attributes that keep password managers away from a field, as autofill would make a person look like a robot. */
const IGNORED = { 'data-1p-ignore': '', 'data-lpignore': 'true', 'data-bwignore': '' };

/** Returns the values of a form by name; of boxes that share a name, those that are checked. */
function typedIn(data: FormData): Record<string, string> {
	const values = [...data.keys()].map((name) => {
		const all = data.getAll(name);
		return [name, all.length > 1 ? all : all[0]];
	});
	return Object.fromEntries(values) as Record<string, string>;
}

/** Returns whether the fields that a person fills in are as they were sent. */
function isTypedAs(form: HTMLFormElement, sent: Record<string, string>): boolean {
	const now = typedIn(new FormData(form));
	return Object.keys({ ...now, ...sent }).every(
		(field) => !isTyped(form, field) || String(now[field] ?? '') === String(sent[field] ?? ''),
	);
}

/**
 * Waits until a person could have filled in the form, and reports meanwhile how long the page has been open.
 * The time counts from there, because a form may be hydrated long after it could be filled in, and a page
 * restored from the browser's cache has been open all the while. Returns the time in milliseconds.
 */
async function waitUntilSendable(onTick: (open: number) => void): Promise<number> {
	for (;;) {
		const open = performance.now();
		const left = MIN_FILL_MS - open;
		if (left <= 0) return Math.round(open);
		onTick(open);
		await new Promise((resolve) => setTimeout(resolve, Math.min(left, TICK_MS)));
	}
}
const TICK_MS = 100;

/** Saves what was typed for this tab, or removes it if there is nothing. */
function saveTyped(form: HTMLFormElement, name: string): void {
	const typed = [...new FormData(form)].filter(([field, value]) => value && isTyped(form, field));
	try {
		if (typed.length > 0) sessionStorage.setItem(name, JSON.stringify(typed));
		else sessionStorage.removeItem(name);
	} catch {
		// Storage may be missing or full; the page itself still has it.
		return;
	}
}

/** Restores what was typed, except in fields that already have a value. */
function restoreTyped(form: HTMLFormElement, name: string): void {
	try {
		const typed = JSON.parse(sessionStorage.getItem(name) ?? '[]') as [string, string][];
		for (const [field, value] of typed) {
			const control = form.elements.namedItem(field) as HTMLInputElement;
			if (!isTyped(form, field)) continue;
			if (control.type === 'checkbox') control.checked = true;
			else control.value ||= value;
		}
	} catch {
		return;
	}
}

function isTyped(form: HTMLFormElement, field: string): boolean {
	const control = form.elements.namedItem(field);
	return (
		control instanceof HTMLElement && field !== HONEYPOT && control.matches(':not([type=hidden])')
	);
}
