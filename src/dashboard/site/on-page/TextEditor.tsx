import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SITE_LABELS } from '#src/core/settings/site-form.ts';
import { type TextKey, textOf } from '#src/texts.ts';

type Props = {
	text: TextKey;
	/** Empty where it follows from the rest. */
	value: string;
	usual: string;
	/** The text as readers get it, with tokens filled in. */
	says: string;
	error: string | undefined;
	saving: boolean;
	onEdit: (value: string) => void;
	onCancel: () => void;
	onSave: () => Promise<void>;
};

/** Edits one text where it is said: Enter saves it, Escape leaves it as it was. */
export function TextEditor(props: Props) {
	const { text, value, usual, says, error, saving, onEdit, onCancel, onSave } = props;
	const id = useId();
	const [typed, setTyped] = useState(value || usual);
	const field = useRef<HTMLTextAreaElement>(null);
	const { max, rule, hint } = textOf(text);
	const hasTokens = /%[A-Z_]+%/.test(typed);

	useEffect(() => {
		const { current: area } = field;
		if (!area) return;
		area.focus();
		area.setSelectionRange(area.value.length, area.value.length);
		area.scrollIntoView?.({ block: 'center' });
	}, []);

	function change(next: string) {
		setTyped(next);
		onEdit(next === usual ? '' : next);
	}
	function press(event: KeyboardEvent) {
		if (event.nativeEvent.isComposing) return;
		const isSave =
			event.key === 'Enter' && (rule ? event.ctrlKey || event.metaKey : !event.shiftKey);
		if (event.key === 'Escape') onCancel();
		else if (isSave) void onSave();
		else return;
		event.preventDefault();
		event.stopPropagation();
	}

	return (
		<span className="text-editor" onKeyDown={press}>
			<textarea
				ref={field}
				aria-label={SITE_LABELS[text]}
				aria-invalid={error !== undefined}
				aria-describedby={`${id}-note`}
				name={text}
				value={typed}
				maxLength={max}
				rows={rule ? 5 : 2}
				onChange={({ currentTarget }) => change(currentTarget.value)}
			/>
			<span
				id={`${id}-note`}
				role={error ? 'alert' : undefined}
				className={error ? 'field-error' : 'field-hint'}
			>
				{error ??
					[hint, (hasTokens || typed === '') && `Readers read: ${says || 'nothing'}`]
						.filter(Boolean)
						.join(' ')}
			</span>
			<span className="text-editor-bar">
				<Button busy={saving} onClick={() => void onSave()}>
					{saving ? 'Saving…' : 'Save'}
				</Button>
				<Button variant="quiet" onClick={onCancel}>
					Cancel
				</Button>
				{value !== '' && (
					<button type="button" className="link" onClick={() => change(usual)}>
						The usual words
					</button>
				)}
			</span>
		</span>
	);
}
