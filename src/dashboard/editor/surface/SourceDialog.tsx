import { useRef, useState, type RefObject } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { plural } from '#src/lib/text.ts';
import { findDropped } from '#src/dashboard/editor/article/dropped.ts';

type Props = {
	title: string;
	/** Null while it is closed. */
	html: string | null;
	onClose: () => void;
	onApply: (html: string) => void;
};

/** The typed source, with the HTML that it was typed for. */
type Typed = { html: string; text: string };

/** HTML as text, with what saving will take out of it. Closed by accident it keeps what was typed; Cancel does not. */
export function SourceDialog({ title, html, onClose, onApply }: Props) {
	const typed = useRef<Typed>(null);
	return (
		<Dialog open={html !== null} onClose={onClose} title={title} firstFocus="textarea">
			{html !== null && <Source html={html} typed={typed} onClose={onClose} onApply={onApply} />}
		</Dialog>
	);
}

type SourceProps = { html: string; typed: RefObject<Typed | null> } & Pick<
	Props,
	'onClose' | 'onApply'
>;

function Source({ html, typed, onClose, onApply }: SourceProps) {
	const [text, setText] = useState(typed.current?.html === html ? typed.current.text : html);
	const dropped = findDropped(text);
	return (
		<div className="source-view">
			<label>
				<span className="sr-only">HTML</span>
				<textarea
					value={text}
					rows={18}
					spellCheck={false}
					autoCapitalize="off"
					onChange={(event) => {
						setText(event.currentTarget.value);
						typed.current = { html, text: event.currentTarget.value };
					}}
				/>
			</label>
			<div role="status" className="source-check">
				{dropped.length === 0 ? (
					<p>Everything in it will be kept.</p>
				) : (
					<>
						<p>{plural(dropped.length, 'thing')} will be dropped:</p>
						<ul>
							{dropped.slice(0, 12).map(({ line, what }, index) => (
								<li key={index}>
									Line {line}: <code>{what}</code>
								</li>
							))}
							{dropped.length > 12 && <li>and {dropped.length - 12} more</li>}
						</ul>
					</>
				)}
			</div>
			<div className="flex flex-wrap gap-3">
				<Button onClick={() => onApply(text)}>Use this HTML</Button>
				<Button
					variant="quiet"
					onClick={() => {
						typed.current = null;
						onClose();
					}}
				>
					Cancel
				</Button>
			</div>
		</div>
	);
}
