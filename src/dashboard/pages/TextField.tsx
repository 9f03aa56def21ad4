import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { internalLinks } from '#src/dashboard/editor/publishing/checklist.ts';
import { DeadLinksNote } from '#src/dashboard/kit/DeadLinksNote.tsx';
import { HelpDialog } from '#src/dashboard/editor/HelpDialog.tsx';
import { SourceDialog } from '#src/dashboard/editor/surface/SourceDialog.tsx';
import { Surface, type SurfaceHandle } from '#src/dashboard/editor/surface/Surface.tsx';

type Props = {
	content: string;
	error: string | undefined;
	surface: RefObject<SurfaceHandle | null>;
	onChange: (content: string) => void;
	hint?: string;
	/** Its page beside it. */
	preview?: ReactNode;
};

const PLACEHOLDERS =
	'%SITE_NAME%, %NEWSLETTER%, %CONTACT_EMAIL%, %PRIVACY_EMAIL% and %OPERATOR% stand for what the site says under Site; %WHEN%, %EVERY% and %OFTEN% for the letter’s schedule (“on Thursdays”, “a week”, “Weekly”). A paragraph that begins with %WITH_SAMPLES% is shown as long as the sample articles are, one with %WITHOUT_SAMPLES% once they are gone.';

/** A text that is written as an article is. */
export function TextField({
	content,
	error,
	surface,
	onChange,
	hint = PLACEHOLDERS,
	preview,
}: Props) {
	const [panel, setPanel] = useState<'source' | 'help' | null>(null);
	const shown = useRef(content);
	const opened = useRef(content);
	const links = useMemo(() => internalLinks(content), [content]);

	// Another text than the one that was typed here: merged, restored, cleaned by the server.
	useEffect(() => {
		if (content === shown.current) return;
		shown.current = content;
		surface.current?.set(content);
	}, [content]);

	function change(html: string) {
		shown.current = html;
		onChange(html);
	}
	return (
		<div className="editor page-text" data-preview={preview ? true : undefined}>
			<div className={preview ? 'editor-columns' : undefined}>
				<div className="editor-paper">
					<Surface
						ref={surface}
						content={opened.current}
						onChange={change}
						takesTitle={() => false}
						onTitle={() => {}}
						onSource={() => {
							surface.current?.sync();
							setPanel('source');
						}}
						onHelp={() => setPanel('help')}
					/>
				</div>
				{preview}
			</div>
			<p className="field-hint">{hint}</p>
			<DeadLinksNote links={links} />
			{error && (
				<p role="alert" className="field-error">
					{error}
				</p>
			)}
			<SourceDialog
				title="HTML of the text"
				html={panel === 'source' ? content : null}
				onClose={() => setPanel(null)}
				onApply={(html) => {
					setPanel(null);
					surface.current?.set(html);
					change(html);
				}}
			/>
			<HelpDialog open={panel === 'help'} onClose={() => setPanel(null)} />
		</div>
	);
}
