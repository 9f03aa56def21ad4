import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import {
	CHANGE_KINDS,
	NOTE_LIMIT,
	type ChangeKind,
	type ChangeNotice,
} from '#src/features/posts/changes.ts';

const KINDS: Record<ChangeKind, { label: string; hint: string }> = {
	small: {
		label: 'Small change',
		hint: 'A typo, a link, a picture. No date moves, and nobody is told.',
	},
	update: {
		label: 'Update',
		hint: 'Something new. The article, its feeds and readers who come back say that it changed.',
	},
	correction: {
		label: 'Correction',
		hint: 'Something was wrong. Told as an update, and marked as a correction, also in the next newsletter.',
	},
};

type Props = {
	open: boolean;
	busy: boolean;
	error: string | undefined;
	onClose: () => void;
	onUpdate: (notice: ChangeNotice) => void;
};

/** Asks whether readers of a public article are told of a change. */
export function UpdateDialog({ open, onClose, ...rest }: Props) {
	return (
		<Dialog open={open} onClose={onClose} title="Update the article" firstFocus="input">
			<UpdateForm {...rest} />
		</Dialog>
	);
}

function UpdateForm({ busy, error, onUpdate }: Omit<Props, 'open' | 'onClose'>) {
	const [kind, setKind] = useState<ChangeKind>('small');
	const [note, setNote] = useState('');
	const isTold = kind !== 'small';
	return (
		<form
			className="publish-form"
			onSubmit={(event) => {
				event.preventDefault();
				onUpdate(isTold ? { kind, note: note.trim() } : { kind });
			}}
		>
			<div className="segments" role="radiogroup" aria-label="Kind of change">
				{CHANGE_KINDS.map((one) => (
					<label key={one}>
						<input
							type="radio"
							name="kind"
							checked={kind === one}
							onChange={() => setKind(one)}
							aria-describedby="update-hint"
						/>
						{KINDS[one].label}
					</label>
				))}
			</div>
			<p id="update-hint" className="field-hint">
				{KINDS[kind].hint}
			</p>
			{isTold && (
				<div className="field">
					<label htmlFor="update-note">What changed, in a sentence</label>
					<input
						id="update-note"
						required
						maxLength={NOTE_LIMIT}
						value={note}
						onChange={(event) => setNote(event.currentTarget.value)}
					/>
				</div>
			)}
			<FieldError>{error}</FieldError>
			<Button type="submit" busy={busy} className="justify-self-start">
				{busy ? 'Updating…' : 'Update now'}
			</Button>
		</form>
	);
}
