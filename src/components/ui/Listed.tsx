type PictureProps = {
	/** Path of a picture, and whether it is a figure, which is shown whole. */
	picture?: string | undefined;
	figure?: true | undefined;
	/** Without one, a cover as `drawCover` writes it. */
	cover: string;
};

/** The picture of something in a list that the browser makes. */
export function ListedPicture({ picture, figure, cover }: PictureProps) {
	return picture ? (
		<span className="photo" data-figure={figure}>
			<img src={picture} alt="" width={800} height={420} loading="lazy" decoding="async" />
		</span>
	) : (
		<svg
			viewBox="0 0 1200 630"
			className="cover"
			aria-hidden="true"
			// Drawn by our own pen.
			dangerouslySetInnerHTML={{ __html: cover }}
		/>
	);
}

/** The claim of it, as `claimOf` parts it; its numbers stand out. */
export function ListedClaim({
	pieces,
}: {
	pieces: readonly { text: string; isNumber: boolean }[];
}) {
	return (
		<p className="claim">
			{pieces.map(({ text, isNumber }, at) => (isNumber ? <strong key={at}>{text}</strong> : text))}
		</p>
	);
}
