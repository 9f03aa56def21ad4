import { useRef, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { $described } from '#src/dashboard/media/described.store.ts';
import { ACCEPTED } from '#src/dashboard/media/photo.ts';
import { PicturePicker } from '#src/dashboard/media/PicturePicker.tsx';
import { uploadImage } from '#src/dashboard/media/upload.store.ts';
import { describeMedia, showMedia } from '#src/features/media/media.api.ts';
import { DRAWING_TYPE, mediaId } from '#src/features/media/media.ts';
import type { PostForm } from '#src/features/posts/editing.ts';
import { Fold } from '#src/dashboard/kit/Fold.tsx';
import { FIRST_FIGURE } from '#src/features/posts/picture.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';

type Props = {
	form: PostForm;
	onEdit: (changes: Partial<PostForm>) => void;
	error: string | undefined;
};

const NO_DRAWING = 'A drawing stands in the text. Save it as PNG to have it here.';

type Kind = 'image' | 'cover' | 'figure';
const KINDS = [
	{ value: 'image', label: 'Image' },
	{ value: 'cover', label: 'Generated cover' },
	{ value: 'figure', label: 'First figure' },
] as const satisfies { value: Kind; label: string }[];

/** The picture of a post: uploaded or chosen from Media and described, a drawn cover, or the article's first figure. */
export function FeaturedImage({ form, onEdit, error }: Props) {
	const files = useRef<HTMLInputElement>(null);
	const turns = useRef(0);
	const [part, setPart] = useState<number | null>(null);
	const [failure, setFailure] = useState<string>();
	const [picking, setPicking] = useState(false);
	// Chosen, but no image yet.
	const [awaitsImage, setAwaitsImage] = useState(false);
	/** The image before something else was chosen: choosing images again brings it back. */
	const [earlier, setEarlier] = useState('');
	const isFigure = form.featuredImage === FIRST_FIGURE;
	const image = isFigure ? '' : form.featuredImage;
	const kind: Kind = isFigure ? 'figure' : image || awaitsImage ? 'image' : 'cover';
	const id = mediaId(image);

	function choose(next: Kind) {
		stopUpload();
		if (image) setEarlier(image);
		setAwaitsImage(next === 'image');
		onEdit({ featuredImage: { image: image || earlier, cover: '', figure: FIRST_FIGURE }[next] });
	}

	/** Has whatever is being uploaded change nothing. */
	function stopUpload() {
		turns.current++;
		setPart(null);
		setFailure(undefined);
	}

	async function uploadChosen(file: File | undefined) {
		if (!file) return;
		// The last one that was chosen counts, whichever arrives last.
		const turn = ++turns.current;
		const isLast = () => turn === turns.current;
		setFailure(undefined);
		setPart(0);
		try {
			if (file.type === DRAWING_TYPE) throw new AppError('validation', NO_DRAWING);
			const { url } = await uploadImage(file, (sent) => isLast() && setPart(sent));
			if (isLast()) onEdit({ featuredImage: url });
		} catch (problem) {
			if (isLast()) setFailure(messageOf(problem));
		} finally {
			if (isLast()) setPart(null);
		}
	}

	return (
		<Fold name="Featured image">
			<div
				className="featured-choice"
				onDragOver={(event) => event.preventDefault()}
				onDrop={(event) => {
					event.preventDefault();
					void uploadChosen(event.dataTransfer.files[0]);
				}}
			>
				<Segments
					label="Picture of the article"
					value={kind}
					options={KINDS}
					onChange={(value) => choose(value as Kind)}
				/>
				{image && <img src={image} alt="" className="featured-image" />}
				{kind === 'cover' && (
					<p className="text-muted">A drawing made from the address stands in its place.</p>
				)}
				{kind === 'figure' && (
					<p className="text-muted">
						The first plot, diagram or drawing of the text. While there is none, a drawing made from
						the address.
					</p>
				)}
				<input
					ref={files}
					type="file"
					hidden
					aria-label="Featured image"
					accept={ACCEPTED}
					onChange={(event) => {
						void uploadChosen(event.currentTarget.files?.[0]);
						event.currentTarget.value = '';
					}}
				/>
				{kind !== 'figure' && (
					<div className="flex flex-wrap gap-2">
						<Button
							variant="quiet"
							// Another one can be chosen meanwhile.
							aria-disabled={part !== null}
							onClick={() => files.current?.click()}
						>
							{image ? 'Replace' : 'Choose an image'}
						</Button>
						<Button variant="quiet" onClick={() => setPicking(true)}>
							From Media
						</Button>
						{image && (
							<Button variant="quiet" onClick={() => onEdit({ featuredImage: '' })}>
								Remove
							</Button>
						)}
					</div>
				)}
				{part !== null && <progress aria-label="Uploading" max={1} value={part} />}
				<FieldError>{failure ?? error}</FieldError>
				{id && <Description key={id} id={id} />}
				<PicturePicker
					open={picking}
					onClose={() => setPicking(false)}
					onPick={({ url }) => {
						stopUpload();
						setPicking(false);
						onEdit({ featuredImage: url });
					}}
				/>
			</div>
		</Fold>
	);
}

/** The description of an image, asked for where it is used. It belongs to the image, in whichever post. */
function Description({ id }: { id: string }) {
	const { answer, error, reload } = useAnswer(showMedia, { id });
	const [saved, setSaved] = useState<string>();
	const [problem, setProblem] = useState<string>();
	if (!answer) return <LoadError what="The image’s description" error={error} reload={reload} />;
	const stored = saved ?? answer.alt;

	async function save(alt: string) {
		if (alt.trim() === stored) return;
		try {
			setSaved((await callAsAdmin(describeMedia, { id, alt })).alt);
			setProblem(undefined);
			$described.set($described.get() + 1);
		} catch (reason) {
			setProblem(messageOf(reason));
		}
	}

	return (
		<Field
			type="textarea"
			label="Description of the featured image (alt text)"
			rows={2}
			maxLength={500}
			defaultValue={answer.alt}
			hint={
				stored === ''
					? 'Missing: describe it for those who cannot see it.'
					: 'Saved with the image, for every post that shows it.'
			}
			error={problem}
			onBlur={(event) => void save(event.currentTarget.value)}
		/>
	);
}
