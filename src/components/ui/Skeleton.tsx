/** Rows that stand where fetched ones will be; `label` says to a screen reader what is on its way. */
export function Skeleton({ label, rows = 1 }: { label: string; rows?: number }) {
	return (
		<div className="grid gap-3" role="status" aria-label={label}>
			{Array.from({ length: rows }, (_, index) => (
				<div key={index} className="skeleton" />
			))}
		</div>
	);
}
