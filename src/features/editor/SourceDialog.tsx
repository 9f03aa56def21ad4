import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { plural } from '#src/lib/text.ts';
import { droppedBy } from './dropped.ts';

type Props = {
	title: string;
	/** Null while it is closed. */
	html: string | null;
	onClose: () => void;
	onApply: (html: string) => void;
};

/** HTML as text, with what saving will take out of it. */
export function SourceDialog({ title, html, onClose, onApply }: Props) {
	return (
		<Dialog open={html !== null} onClose={onClose} title={title} firstFocus="textarea">
			{html !== null && <Source html={html} onClose={onClose} onApply={onApply} />}
		</Dialog>
	);
}

function Source({ html, onClose, onApply }: { html: string } & Pick<Props, 'onClose' | 'onApply'>) {
	const [text, setText] = useState(html);
	const dropped = droppedBy(text);
	return (
		<div className="source-view">
			<label>
				<span className="sr-only">HTML</span>
				<textarea
					value={text}
					rows={18}
					spellCheck={false}
					autoCapitalize="off"
					onChange={(event) => setText(event.currentTarget.value)}
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
				<Button variant="quiet" onClick={onClose}>
					Cancel
				</Button>
			</div>
		</div>
	);
}
