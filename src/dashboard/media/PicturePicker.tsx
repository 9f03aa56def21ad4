import { useState } from 'react';
import { Pages } from '#src/components/ui/DataTable.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { listMedia } from '#src/features/media/media.api.ts';
import { DRAWING_TYPE, type Media } from '#src/features/media/media.ts';

type Props = {
	open: boolean;
	onClose: () => void;
	onPick: (image: Media) => void;
	/** Whether a drawing can stand there as well. */
	drawings?: boolean;
};

/** Chooses an image that is in the library already. */
export function PicturePicker({ open, onClose, onPick, drawings = false }: Props) {
	return (
		<Dialog open={open} onClose={onClose} title="Choose from Media" firstFocus="input">
			{open && <Choices onPick={onPick} drawings={drawings} />}
		</Dialog>
	);
}

function Choices({ onPick, drawings }: Pick<Props, 'onPick' | 'drawings'>) {
	const [q, setQ] = useState('');
	const [page, setPage] = useState(1);
	const { answer, error, loading, reload } = useAnswer(listMedia, { q, page });
	if (error !== undefined) return <SectionError message={error} onRetry={reload} />;
	return (
		<div className="picture-picker">
			<SearchField
				label="Search names and descriptions"
				value={q}
				onSearch={(text) => {
					setQ(text);
					setPage(1);
				}}
			/>
			{!answer && <Skeleton label="Loading images" rows={4} />}
			{answer?.rows.length === 0 && (
				<p className="text-muted">{q ? 'No image matches.' : 'There are no images yet.'}</p>
			)}
			{answer && answer.rows.length > 0 && (
				<ul className="media-grid" aria-busy={loading}>
					{answer.rows.map((image) => (
						<li key={image.id}>
							<button
								type="button"
								className="media-item frame frame-hover"
								disabled={!drawings && image.type === DRAWING_TYPE}
								onClick={() => onPick(image)}
							>
								<img src={image.url} alt={image.alt} loading="lazy" decoding="async" />
								<span>
									<span className="font-semibold">{image.name}</span>
									{image.alt === '' && <span className="badge badge-wait">No description</span>}
								</span>
							</button>
						</li>
					))}
				</ul>
			)}
			{answer && (
				<Pages
					total={answer.total}
					page={answer.page}
					pageSize={answer.pageSize}
					onPage={setPage}
				/>
			)}
		</div>
	);
}
