import { useState } from 'react';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { composeDiagram, readDiagram, type Diagram } from '#src/core/figures/notes.ts';
import { FigureForm, type DialogProps } from './FigureForm.tsx';

/** Text of a new diagram. */
const FIRST: Diagram = {
	title: 'What leads to what',
	description: 'One sentence that says it in words.',
	body: 'graph LR\nA[Text] --> B[Tokens]\nB --> C[Vectors]',
};

/** Makes a diagram, or changes one, and shows it meanwhile. */
export function DiagramDialog({ open, source, onClose, onInsert }: DialogProps) {
	// Kept while it is closed, so that a press beside it loses nothing.
	const [fresh, setFresh] = useState(FIRST);
	return (
		<Dialog open={open} onClose={onClose} title="Diagram" firstFocus="textarea">
			<DiagramForm
				given={source === null ? fresh : readDiagram(source)}
				onChange={source === null ? setFresh : undefined}
				button={source === null ? 'Insert diagram' : 'Change diagram'}
				onInsert={(made) => {
					setFresh(FIRST);
					onClose();
					onInsert(made);
				}}
			/>
		</Dialog>
	);
}

type FormProps = Pick<DialogProps, 'onInsert'> & {
	given: Diagram;
	onChange: ((diagram: Diagram) => void) | undefined;
	button: string;
};

function DiagramForm({ given, onChange, button, onInsert }: FormProps) {
	const [diagram, setDiagram] = useState(given);
	const set = (part: Partial<Diagram>) => {
		const next = { ...diagram, ...part };
		setDiagram(next);
		onChange?.(next);
	};
	const { title, description, body } = diagram;
	const missing = body.trim() ? '' : 'Write what leads to what.';
	return (
		<FigureForm
			language="mermaid"
			source={missing ? null : composeDiagram(diagram)}
			missing={missing}
			button={button}
			onInsert={onInsert}
		>
			<Field
				type="textarea"
				label="Diagram in Mermaid"
				hint="A flowchart, sequence, states, classes or entities."
				rows={10}
				spellCheck={false}
				className="font-label text-xs"
				value={body}
				onChange={(event) => set({ body: event.currentTarget.value })}
			/>
			<Field
				label="Title: what to see"
				value={title}
				maxLength={200}
				onChange={(event) => set({ title: event.currentTarget.value })}
			/>
			<Field
				label="Description: the same in words"
				value={description}
				maxLength={300}
				onChange={(event) => set({ description: event.currentTarget.value })}
			/>
		</FigureForm>
	);
}
