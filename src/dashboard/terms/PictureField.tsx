import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { PicturePicker } from '#src/dashboard/media/PicturePicker.tsx';

type Props = { picture: string; error: string | undefined; onChange: (picture: string) => void };

/** A picture of the library, chosen and taken away. */
export function PictureField({ picture, error, onChange }: Props) {
	const [isPicking, setPicking] = useState(false);
	return (
		<div className="field">
			<span>Picture</span>
			<div className="term-picture">
				{picture && <img src={picture} alt="" width="96" height="96" />}
				<Button variant="quiet" onClick={() => setPicking(true)}>
					{picture ? 'Choose another picture' : 'Choose a picture'}
				</Button>
				{picture && (
					<Button variant="quiet" onClick={() => onChange('')}>
						Remove the picture
					</Button>
				)}
			</div>
			{error && (
				<span role="alert" className="field-error">
					{error}
				</span>
			)}
			<PicturePicker
				open={isPicking}
				onClose={() => setPicking(false)}
				onPick={({ url }) => {
					setPicking(false);
					onChange(url);
				}}
			/>
		</div>
	);
}
