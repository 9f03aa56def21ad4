import { messageOf } from '#src/lib/errors.ts';

type Props = {
	/** Names the missing part as a sentence begins: “Categories”. */
	what: string;
	/** An error, or its message. */
	error: unknown;
	reload: () => void;
};

/** Says in the place of a part that it could not be loaded, and loads it again. Shows nothing where it was. */
export function LoadError({ what, error, reload }: Props) {
	if (error === undefined) return null;
	return (
		<p role="alert" className="load-error field-error">
			{what} could not be loaded: {typeof error === 'string' ? error : messageOf(error)}{' '}
			<button type="button" className="link" onClick={reload}>
				Try again
			</button>
		</p>
	);
}
