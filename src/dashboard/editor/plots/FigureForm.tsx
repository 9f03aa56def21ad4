import type { ReactNode, SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { messageOf } from '#src/lib/errors.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { drawBlock } from './drawn.store.ts';

/** Props of a dialog for a figure. */
export type DialogProps = {
	open: boolean;
	/** The text of the block of code that is changed, or null for a new one. */
	source: string | null;
	onClose: () => void;
	/** Takes the text of the figure's block of code. */
	onInsert: (source: string) => void;
};

type Props = {
	language: 'vega-lite' | 'mermaid';
	/** The block of code that the fields make, or null while they make none. */
	source: string | null;
	/** Sentence about what they lack. */
	missing: string;
	button: string;
	onInsert: (source: string) => void;
	children: ReactNode;
};

/** Fields of a figure, beside what they draw. */
export function FigureForm({ language, source, missing, button, onInsert, children }: Props) {
	const { data: html, error, reload } = useAsync(source, () => drawBlock(language, source!), 250);
	const isDrawn = source !== null && html !== undefined && html.includes('class="drawn"');

	function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (source !== null) onInsert(source);
	}

	return (
		<form
			method="post"
			onSubmit={send}
			className="plot-form"
			data-drawing={source !== null || undefined}
		>
			<div className="plot-fields grid content-start gap-4">{children}</div>
			<div className="plot-shown prose" role="status">
				{missing && <p className="label">{missing}</p>}
				{source !== null && error !== undefined && (
					<>
						<p className="label">
							It cannot be drawn now, and can be put in all the same. {messageOf(error)}
						</p>
						<Button variant="quiet" className="mt-2" onClick={reload}>
							Try again
						</Button>
					</>
				)}
				{source !== null && html === undefined && error === undefined && (
					<p className="label">Drawing…</p>
				)}
				{source !== null && html !== undefined && error === undefined && (
					<div dangerouslySetInnerHTML={{ __html: html }} />
				)}
			</div>
			<div className="plot-done">
				<Button type="submit" disabled={!isDrawn && (source === null || error === undefined)}>
					{button}
				</Button>
			</div>
		</form>
	);
}
