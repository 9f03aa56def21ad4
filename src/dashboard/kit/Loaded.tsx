import { useEffect, useState, type ComponentType } from 'react';
import { ErrorBoundary, SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';

type Props = { label: string; load: () => Promise<ComponentType> };

/** A part of the desk whose code is loaded when it is first shown. */
export function Loaded({ label, load }: Props) {
	const [View, setView] = useState<ComponentType>();
	const [failed, setFailed] = useState(false);

	function start() {
		setFailed(false);
		load().then(
			(loaded) => setView(() => loaded),
			() => setFailed(true),
		);
	}
	useEffect(start, [load]);

	if (failed) {
		return (
			<SectionError
				message={`${label} could not be loaded. Check your connection and try again.`}
				onRetry={start}
			/>
		);
	}
	if (!View) return <Skeleton label={`Loading ${label.toLowerCase()}`} rows={5} />;
	return (
		<ErrorBoundary>
			<View />
		</ErrorBoundary>
	);
}
