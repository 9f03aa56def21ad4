import { Dialog } from '#src/components/ui/Dialog.tsx';
import { commandGroups } from '#src/dashboard/editor/surface/commands.ts';
import { keysHere } from './keys.ts';

const OTHERS = [
	['Save', 'Ctrl+S'],
	['Publish or update', 'Ctrl+Shift+Enter'],
	['Preview beside the text', 'Ctrl+Shift+P'],
	['Focus mode, and Escape out of it', 'Ctrl+Shift+F'],
	['Find and replace', 'Ctrl+H'],
	['To the toolbar', 'Alt+F10'],
	['Out of a table, a callout or an image', 'Ctrl+Enter'],
	['From a footnote back to the text', 'Escape'],
	['These shortcuts', 'Ctrl+/'],
	['Paste without looks or Markdown', 'Ctrl+Shift+V'],
	['New line in a paragraph', 'Shift+Enter'],
] as const;

const MARKDOWN = [
	['## and a space', 'Heading 2'],
	['- and a space', 'Bulleted list'],
	['1. and a space', 'Numbered list'],
	['[ ] and a space', 'Task list'],
	['> and a space', 'Quotation'],
	['``` and Enter', 'Code block'],
	['--- ', 'Line'],
	['**bold**, *italic*, ~~struck~~, `code`', 'Marks'],
	['/', 'All blocks by name'],
] as const;

/** Every key and what it does. */
export function HelpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
	const commands = commandGroups({
		link: () => {},
		image: () => {},
		gallery: () => {},
		embed: () => {},
		library: () => {},
		plot: () => {},
		diagram: () => {},
		find: () => {},
	})
		.flat()
		.filter(({ keys }) => keys);
	return (
		<Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
			<dl className="shortcuts">
				{[...OTHERS, ...commands.map(({ label, keys }) => [label, keys ?? ''] as const)].map(
					([label, keys]) => (
						<div key={label}>
							<dt>{label}</dt>
							<dd>
								<kbd>{keysHere(keys)}</kbd>
							</dd>
						</div>
					),
				)}
			</dl>
			<h3>While typing</h3>
			<dl className="shortcuts">
				{MARKDOWN.map(([keys, label]) => (
					<div key={keys}>
						<dt>{label}</dt>
						<dd>
							<kbd>{keys}</kbd>
						</dd>
					</div>
				))}
			</dl>
		</Dialog>
	);
}
