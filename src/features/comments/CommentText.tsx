import { codeParts } from '#src/lib/code-parts.ts';

/** The text of a comment, with fenced code as code. */
export function CommentText({ content }: { content: string }) {
	return codeParts(content).map(({ isCode, text }, index) =>
		isCode ? (
			<pre key={index} className="label my-2 overflow-x-auto bg-sunken p-4 text-ink" tabIndex={0}>
				<code>{text}</code>
			</pre>
		) : (
			<p key={index} dir="auto" className="mt-1 font-serif text-lg whitespace-pre-line">
				{text}
			</p>
		),
	);
}
