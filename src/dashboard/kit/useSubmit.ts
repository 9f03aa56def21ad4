import { useRef, useState, type SubmitEvent } from 'react';
import { toast } from '#src/components/ui/toast.store.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';

type Typed = Readonly<Record<string, string>>;
const NOTHING = { errors: {}, failure: '', reason: '' };

/**
 * Runs what a button or a form asks for, one thing at a time. Why it was refused is in `errors`, by field, and the first of
 * the form's fields gets the focus; in `failure` where it is no matter of fields; in `reason` in any case. With a title a
 * toast says it, unless it stands beside fields (`hasFields`).
 */
export function useSubmit(title?: string, hasFields = false) {
	const isRunning = useRef(false);
	const [busy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<{ errors: Typed; failure: string; reason: string }>(
		NOTHING,
	);

	/** Returns what the work returns, or undefined where it failed or something else runs. */
	async function run<Out>(
		work: () => Promise<Out>,
		form?: HTMLFormElement,
	): Promise<Out | undefined> {
		if (isRunning.current) return undefined;
		isRunning.current = true;
		setBusy(true);
		setRefusal(NOTHING);
		try {
			return await work();
		} catch (problem) {
			const errors = problem instanceof AppError ? problem.fields : undefined;
			const reason = messageOf(problem);
			setRefusal({ errors: errors ?? {}, failure: errors ? '' : reason, reason });
			if (title && !(hasFields && errors)) toast({ title, description: reason, destructive: true });
			const [first] = Object.keys(errors ?? {});
			if (first) form?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
			return undefined;
		} finally {
			isRunning.current = false;
			setBusy(false);
		}
	}

	/** Returns the handler of a form whose work gets what is typed in it. */
	const send =
		(work: (typed: Typed, form: HTMLFormElement) => Promise<unknown>) =>
		(event: SubmitEvent<HTMLFormElement>) => {
			event.preventDefault();
			const form = event.currentTarget;
			const typed = Object.fromEntries(new FormData(form)) as Typed;
			void run(() => work(typed, form), form);
		};

	return { ...refusal, busy, run, send, forget: () => setRefusal(NOTHING) };
}
