import { useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { addressIn, EMBED_HOSTS } from '#src/core/articles/embeds.ts';

type Props = {
	open: boolean;
	onClose: () => void;
	/** Takes the address. */
	onInsert: (address: string) => void;
};

/** Asks for the address of a video, a recording or a page. */
export function EmbedDialog({ open, onClose, onInsert }: Props) {
	return (
		<Dialog open={open} onClose={onClose} title="Video, audio or page" firstFocus="input">
			<EmbedForm onInsert={onInsert} />
		</Dialog>
	);
}

function EmbedForm({ onInsert }: Pick<Props, 'onInsert'>) {
	const [address, setAddress] = useState('');
	const [error, setError] = useState<string>();

	function insert(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		const given = addressIn(address);
		if (/^https?:\/\/./i.test(given) && URL.canParse(given)) onInsert(given);
		else setError('Use an address that begins with https:// or http://');
	}

	return (
		<form method="post" noValidate onSubmit={insert} className="grid gap-4">
			<Field
				label="Address, or the code for embedding"
				value={address}
				error={error}
				hint={`What is from ${EMBED_HOSTS.slice(0, -1).join(', ')} or ${EMBED_HOSTS.at(-1)} is played in the article. Any other page becomes a card with its title and picture.`}
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
