/** Placeholder rows for content that is being fetched; `label` tells screen readers what is loading. */
export function Skeleton({ label, rows = 1 }: { label: string; rows?: number }) {
	return (
		<div className="grid gap-3" role="status" aria-label={label}>
			{Array.from({ length: rows }, (_, index) => (
				<div key={index} className="skeleton" />
			))}
		</div>
	);
}
