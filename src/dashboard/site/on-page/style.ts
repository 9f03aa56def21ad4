/** Styles of pencils and editors, on a page of readers and at the desk. */
export const STYLE = `
.pencil {
	display: inline-flex;
	align-items: center;
	justify-content: center;
	width: 1.75rem;
	height: 1.75rem;
	margin: -0.25rem 0 -0.25rem 0.4rem;
	vertical-align: middle;
	border: 1px solid var(--color-accent);
	background: var(--color-raised);
	color: var(--color-accent);
	position: relative;
	z-index: 1;
	cursor: pointer;
}
.pencil:hover {
	background: var(--color-sunken);
}
@media (pointer: coarse) {
	.pencil {
		width: 2.75rem;
		height: 2.75rem;
	}
}
[data-edited] + .pencil {
	display: none;
}
.text-editor {
	display: grid;
	gap: 0.5rem;
	min-width: min(16rem, 100%);
}
.text-editor textarea {
	width: 100%;
	field-sizing: content;
	padding: 0.25rem 0.5rem;
	border: 1px solid var(--color-edge);
	background: var(--color-raised);
	color: var(--color-ink);
	font: inherit;
	letter-spacing: inherit;
	text-transform: none;
}
.text-editor :is(.field-hint, .field-error, .text-editor-bar) {
	font: 400 0.9rem/1.4 var(--font-heading, sans-serif);
	letter-spacing: normal;
	text-transform: none;
}
.text-editor-bar {
	display: flex;
	flex-wrap: wrap;
	align-items: center;
	gap: 0.75rem 1.25rem;
}
.text-editor-bar .link {
	min-height: 2.75rem;
}
`;
