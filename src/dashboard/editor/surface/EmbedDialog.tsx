import { useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { addressIn, EMBED_HOSTS, embedOf, titleOf } from '#src/core/articles/embeds.ts';

type Props = {
	open: boolean;
	onClose: () => void;
	/** Takes the address and a title for it. */
	onInsert: (address: string, title: string) => void;
};

/** Asks for the address of a video or recording. */
export function EmbedDialog({ open, onClose, onInsert }: Props) {
	return (
		<Dialog open={open} onClose={onClose} title="Video or audio" firstFocus="input">
			<EmbedForm onInsert={onInsert} />
		</Dialog>
	);
}

function EmbedForm({ onInsert }: Pick<Props, 'onInsert'>) {
	const [address, setAddress] = useState('');
	const [error, setError] = useState<string>();

	function insert(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		const embed = embedOf(addressIn(address));
		if (embed) onInsert(embed.address, titleOf(embed));
		else
			setError(
				'No video or recording is known at this address. Any other address can be a link in the text.',
			);
	}

	return (
		<form method="post" noValidate onSubmit={insert} className="grid gap-4">
			<Field
				label="Address, or the code for embedding"
				value={address}
				error={error}
				hint={`From ${EMBED_HOSTS.slice(0, -1).join(', ')} or ${EMBED_HOSTS.at(-1)}.`}
				autoComplete="off"
				onChange={(event) => {
					setAddress(event.currentTarget.value);
					setError(undefined);
				}}
			/>
			<p className="text-sm text-muted">
				Readers see a still picture. The player is loaded from there when they press it, not before.
			</p>
			<Button type="submit">Insert</Button>
		</form>
	);
}
