import { useRef, useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { retryAfterSignIn } from '#src/core/session/session.store.ts';
import { PasswordField } from '#src/dashboard/kit/PasswordField.tsx';
import { makeArchive } from '#src/features/archive/archive.api.ts';
import { isoDay } from '#src/lib/dates.ts';
import { call, parse } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { saveFile } from '#src/lib/save-file.ts';
import { byteSize } from '#src/lib/text.ts';

const CUT_OFF = 'The archive broke off before its end, so nothing was saved. Try again.';

type Input = { passphrase?: string };

/** Saves everything that is stored in one file. */
export function WholeArchive() {
	const [isWithSecret, setWithSecret] = useState(false);
	const [passphrase, setPassphrase] = useState('');
	const [state, setState] = useState<{ bytes?: number; done?: number; error?: string }>({});
	const stop = useRef<AbortController>(undefined);
	const isRunning = state.bytes !== undefined;

	async function make(event: SubmitEvent) {
		event.preventDefault();
		const controller = new AbortController();
		stop.current = controller;
		setState({ bytes: 0 });
		try {
			const input = isWithSecret ? { passphrase } : {};
			parse(makeArchive.input, input);
			const file = await retryAfterSignIn(() =>
				fetchArchive(input, controller.signal, (bytes) => setState({ bytes })),
			);
			saveFile(file, `archive-${isoDay(new Date())}.zip`);
			setState({ done: file.size });
			setPassphrase('');
		} catch (problem) {
			setState({ error: controller.signal.aborted ? 'Canceled.' : messageOf(problem) });
		}
	}

	return (
		<form className="mt-8 grid gap-4" onSubmit={(event) => void make(event)}>
			<h3>Whole archive</h3>
			<p className="text-muted">
				To move the whole site: also earlier versions, sent letters, counts, settings and the log.
				Only <code>npm run restore-archive</code> opens it, into an empty database. Whoever has the
				file has all addresses.
			</p>
			<label className="flex items-center gap-3">
				<input
					type="checkbox"
					checked={isWithSecret}
					disabled={isRunning}
					onChange={(event) => setWithSecret(event.currentTarget.checked)}
				/>
				With the site’s secret, so that links in emails sent until now go on working
			</label>
			{isWithSecret && (
				<PasswordField
					label="Passphrase that seals the secret"
					hint="At least 12 characters. Nothing opens it without them."
					autoComplete="new-password"
					value={passphrase}
					disabled={isRunning}
					onChange={(event) => setPassphrase(event.currentTarget.value)}
				/>
			)}
			<FieldError>{state.error}</FieldError>
			{isRunning && (
				<>
					<p role="status" className="label">
						{state.bytes ? `Making the archive: ${byteSize(state.bytes)}…` : 'Making the archive…'}
					</p>
					<progress className="w-full" aria-label="Making the archive" />
				</>
			)}
			{state.done !== undefined && (
				<p role="status" className="font-semibold">
					Made: {byteSize(state.done)}. Your browser saves it.
				</p>
			)}
			{isRunning ? (
				<Button
					variant="quiet"
					className="justify-self-start"
					onClick={() => stop.current?.abort()}
				>
					Cancel
				</Button>
			) : (
				<Button type="submit" variant="quiet" className="justify-self-start">
					Make an archive
				</Button>
			)}
		</form>
	);
}

/** Fetches an archive into a file of the browser's, and tells how much of it is there. */
async function fetchArchive(
	input: Input,
	signal: AbortSignal,
	onBytes: (bytes: number) => void,
): Promise<Blob> {
	const response = await fetch(makeArchive.path, {
		method: makeArchive.method,
		signal,
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(input),
	}).catch(() => undefined);
	// Throws what the answer says, or that there is none.
	if (!response?.ok || !response.body) {
		await call(makeArchive, input, async () => response ?? Promise.reject(new TypeError()));
		throw new AppError('unknown', CUT_OFF);
	}
	let bytes = 0;
	const counter = new TransformStream<Uint8Array, Uint8Array>({
		transform(part, stream) {
			bytes += part.length;
			onBytes(bytes);
			stream.enqueue(part);
		},
	});
	return new Response(response.body.pipeThrough(counter)).blob().catch(() => {
		throw new AppError('network', CUT_OFF);
	});
}
