import { CloseButton } from '#src/components/ui/Button.tsx';
import type { Upload } from './useUploads.ts';

type Props = { uploads: readonly Upload[]; onDismiss: (key: number) => void };

/** Pictures on their way, and those that were refused. */
export function Uploads({ uploads, onDismiss }: Props) {
	if (uploads.length === 0) return null;
	return (
		<ul className="uploads" aria-label="Uploads">
			{uploads.map(({ key, name, part, problem, note }) => (
				<li key={key} data-refused={problem !== undefined || undefined}>
					{note !== undefined ? (
						<>
							<span role="status">{note}</span>
							<CloseButton label={`Dismiss ${name}`} onClick={() => onDismiss(key)} />
						</>
					) : problem === undefined ? (
						<>
							<span>{part === null ? `Preparing ${name}` : `Uploading ${name}`}</span>
							<progress aria-label={`Uploading ${name}`} max={1} value={part ?? undefined} />
						</>
					) : (
						<>
							<span role="alert">
								<strong>{name} was not added.</strong> {problem}
							</span>
							<CloseButton label={`Dismiss ${name}`} onClick={() => onDismiss(key)} />
						</>
					)}
				</li>
			))}
		</ul>
	);
}
