import type { NodeViewRenderer } from '@tiptap/core';
import { CodeBlockLowlight } from '@tiptap/extension-code-block-lowlight';
import { TextSelection } from '@tiptap/pm/state';
import { CALLOUTS } from '#src/core/articles/callouts.ts';
import { sanitizeArticle } from '#src/core/articles/sanitize.ts';
import { runAttributes } from '#src/dashboard/editor/article/schema.ts';
import { drawFormula } from '#src/dashboard/editor/article/formula.ts';
import { figureBelow, isFigure, type DrawBlock } from '#src/dashboard/editor/plots/below.ts';
import { lowlight } from './code-colors.ts';
import { writeIn } from './commands.ts';
import { galleryMoves } from './media-views.ts';
import {
	change,
	leave,
	leaveByKey,
	make,
	marksSelection,
	selectByClick,
	ownChanges,
	ownEvents,
	redraws,
} from './view-parts.ts';

/** Languages that the article page highlights, as [value, name]. */
const LANGUAGES = [
	['', 'Plain text'],
	['python', 'Python'],
	['typescript', 'TypeScript'],
	['javascript', 'JavaScript'],
	['tsx', 'TSX'],
	['jsx', 'JSX'],
	['bash', 'Shell'],
	['json', 'JSON'],
	['yaml', 'YAML'],
	['sql', 'SQL'],
	['diff', 'Diff'],
	['html', 'HTML'],
	['css', 'CSS'],
	['toml', 'TOML'],
	['rust', 'Rust'],
	['go', 'Go'],
	['c', 'C'],
	['cpp', 'C++'],
	['java', 'Java'],
	['dockerfile', 'Dockerfile'],
	['markdown', 'Markdown'],
	['vega-lite', 'Plot (Vega-Lite)'],
	['mermaid', 'Diagram (Mermaid)'],
	['output', 'Output of the block above'],
] as const;

/** Other names of these languages, as programs and other sites write them. */
const ALIASES: Record<string, string> = {
	js: 'javascript',
	mjs: 'javascript',
	ts: 'typescript',
	py: 'python',
	python3: 'python',
	sh: 'bash',
	shell: 'bash',
	zsh: 'bash',
	console: 'bash',
	yml: 'yaml',
	md: 'markdown',
	'c++': 'cpp',
	cc: 'cpp',
	golang: 'go',
	rs: 'rust',
	docker: 'dockerfile',
	text: '',
	plaintext: '',
};

/** An image whose description was typed. */
export type Described = { src: string; alt: string };

/** An image, a field for its description, and its caption. */
export const pictureView: NodeViewRenderer = (props) => {
	const image = make('img', { contenteditable: 'false' });
	const input = make('input', {
		type: 'text',
		'aria-label': 'Description of the image (alt text)',
		placeholder: 'What does it show?',
		maxlength: '500',
	});
	const bar = make(
		'div',
		{ class: 'picture-alt', contenteditable: 'false' },
		make('span', {}, 'Alt'),
		input,
		...galleryMoves(props),
	);
	const caption = make('figcaption', { 'data-placeholder': 'Caption, if it needs one' });
	const notice = make('p', { class: 'picture-notice', contenteditable: 'false', hidden: '' });
	const dom = make('figure', { class: 'picture' }, image, notice, bar, caption);
	const blocked = () => {
		const host = /^https?:\/\/([^/]+)/.exec(image.src)?.[1] ?? '';
		notice.hidden = false;
		notice.textContent =
			host && host !== location.host
				? `This picture stays at ${host} and is not shown here: upload it to show it.`
				: 'This picture cannot be shown: upload it again.';
	};
	image.addEventListener('error', blocked);
	selectByClick(image, props);
	const isOnItsWay = () => image.src.startsWith('data:');
	image.addEventListener('load', () => (notice.hidden = !isOnItsWay()));
	const draw = ({ attrs, content }: typeof props.node) => {
		const alt = String(attrs['alt'] ?? '');
		const src = String(attrs['src']);
		if (image.getAttribute('src') !== src) image.src = src;
		if (isOnItsWay()) notice.textContent = 'Being uploaded: not saved yet.';
		image.alt = alt;
		if (input.value !== alt) input.value = alt;
		dom.toggleAttribute('data-missing', alt.trim() === '');
		dom.toggleAttribute('data-empty', content.size === 0);
	};
	draw(props.node);
	input.addEventListener('input', () => change(props, { alt: input.value }));
	input.addEventListener('change', () => {
		const detail: Described = { src: image.getAttribute('src')!, alt: input.value };
		dom.dispatchEvent(new CustomEvent('describe', { bubbles: true, detail }));
	});
	leaveByKey(input, props);
	return {
		dom,
		contentDOM: caption,
		update: redraws(props, draw),
		...marksSelection(dom),
		stopEvent: ownEvents(bar),
		ignoreMutation: ownChanges(caption, bar, notice),
	};
};

/** A formula as the article shows it; opened, the LaTeX that makes it. */
export const mathView: NodeViewRenderer = (props) => {
	const block = props.node.type.name === 'blockMath';
	const shown = make(block ? 'div' : 'span', { class: block ? 'math-block' : 'math' });
	const source = make('textarea', {
		class: 'math-source',
		'aria-label': 'Formula in LaTeX',
		spellcheck: 'false',
		rows: block ? '3' : '1',
		hidden: '',
	});
	const dom = make(
		block ? 'div' : 'span',
		{ class: 'math-node', contenteditable: 'false' },
		shown,
		source,
	);
	let latex = '';
	const draw = (next: string) => {
		latex = next;
		dom.toggleAttribute('data-empty', latex.trim() === '');
		if (shown.textContent === '') shown.textContent = latex;
		const drawn = make('span');
		void drawFormula(next, drawn, block).then((problem) => {
			if (latex !== next) return;
			shown.classList.toggle('math-problem', problem !== null);
			if (problem === null) shown.replaceChildren(...drawn.childNodes);
			else shown.textContent = `${next} (${problem})`;
		});
	};
	const open = () => {
		source.hidden = false;
		source.value = latex;
		source.focus();
		source.select();
	};
	const close = () => {
		if (source.hidden) return;
		source.hidden = true;
		const pos = props.getPos();
		if (latex.trim() !== '' || pos === undefined) return;
		props.editor.view.dispatch(props.editor.state.tr.delete(pos, pos + 1));
	};
	draw(String(props.node.attrs['latex']));
	shown.addEventListener('click', open);
	dom.addEventListener('edit', open);
	source.addEventListener('input', () => {
		// Whoever typed two dollar signs to begin it types two to end it.
		const isEnded = block && source.value.endsWith('$$');
		if (isEnded) source.value = source.value.slice(0, -2).trimEnd();
		change(props, { latex: source.value });
		if (isEnded) leave(props.editor, props.getPos());
	});
	source.addEventListener('blur', close);
	source.addEventListener('keydown', (event) => {
		if (event.isComposing) return;
		if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !source.value) {
			event.preventDefault();
			props.editor.chain().undo().focus().run();
			return;
		}
		if (
			event.key !== 'Escape' &&
			!(event.key === 'Enter' && (!block || event.metaKey || event.ctrlKey))
		)
			return;
		event.preventDefault();
		leave(props.editor, props.getPos());
		close();
	});
	return {
		dom,
		update: redraws(props, ({ attrs }) => {
			const next = String(attrs['latex']);
			if (next !== latex) draw(next);
		}),
		...marksSelection(dom),
		stopEvent: ownEvents(source),
		ignoreMutation: () => true,
	};
};

function chooser(
	label: string,
	options: readonly (readonly [string, string])[],
	className: string,
) {
	const select = make('select', {
		class: className,
		'aria-label': label,
		contenteditable: 'false',
	});
	select.append(...options.map(([value, name]) => make('option', { value }, name)));
	return select;
}

const codeView =
	(drawBlock: DrawBlock): NodeViewRenderer =>
	(props) => {
		const { editor, getPos } = props;
		const select = chooser('Language', LANGUAGES, 'code-language');
		const code = make('code');
		const drawn = make('div', { class: 'code-drawn', contenteditable: 'false', hidden: '' });
		const box = make('input', { type: 'checkbox' });
		const run = make('label', { class: 'code-run' }, box, 'Readers can run it');
		const edit = make('button', { type: 'button' }, 'Edit');
		const source = make('button', { type: 'button' }, 'Source');
		const bar = make('div', { class: 'code-bar', contenteditable: 'false' });
		bar.append(select, run, edit, source);
		const dom = make('figure', { class: 'code' }, bar, make('pre', {}, code), drawn);
		let language = '';
		// Until the server has said otherwise.
		let isDrawn = true;
		const isWrittenIn = () => {
			const pos = getPos();
			const { selection, doc } = editor.state;
			if (pos === undefined || !(selection instanceof TextSelection)) return false;
			return selection.from > pos && selection.to < pos + (doc.nodeAt(pos)?.nodeSize ?? 0);
		};
		// A figure hides what it is drawn from, but not from whoever writes in it.
		const fold = () =>
			dom.toggleAttribute('data-folded', isFigure(language) && isDrawn && !isWrittenIn());
		const figure = figureBelow(drawn, editor, drawBlock, (is) => {
			isDrawn = is;
			fold();
		});
		const draw = ({ attrs, textContent }: typeof props.node) => {
			const given = String(attrs['language'] ?? '');
			language = ALIASES[given.toLowerCase()] ?? given;
			if (![...select.options].some(({ value }) => value === language))
				select.append(make('option', { value: language }, language));
			select.value = language;
			box.checked = attrs['run'] === true;
			run.hidden = !['javascript', 'python'].includes(language);
			edit.hidden = source.hidden = !isFigure(language);
			if (!textContent.trim()) isDrawn = false;
			figure.show(language, textContent);
			fold();
		};
		draw(props.node);
		const open = () =>
			dom.dispatchEvent(new CustomEvent('edit-figure', { bubbles: true, detail: getPos }));
		editor.on('selectionUpdate', fold);
		box.addEventListener('change', () => change(props, { run: box.checked, norun: null }));
		select.addEventListener('change', () => {
			change(props, { language: select.value || null });
			editor.view.focus();
		});
		dom.addEventListener('edit', open);
		edit.addEventListener('click', open);
		drawn.addEventListener('dblclick', open);
		drawn.addEventListener('click', ({ target }) => {
			const pos = getPos();
			if (pos !== undefined && !(target as Element).closest('a, button, summary'))
				editor.chain().focus().setNodeSelection(pos).run();
		});
		source.addEventListener('click', () => {
			const pos = getPos();
			if (pos !== undefined) writeIn(editor, pos);
		});
		return {
			dom,
			contentDOM: code,
			update: redraws(props, draw),
			...marksSelection(dom),
			stopEvent: ownEvents(bar, drawn),
			ignoreMutation: ownChanges(code, bar, drawn),
			destroy: () => {
				editor.off('selectionUpdate', fold);
				figure.stop();
			},
		};
	};

/** Returns the block of code: with its language, highlighted while it is written, and drawn where it is a figure. */
export const highlightedCode = (drawBlock: DrawBlock) =>
	CodeBlockLowlight.extend({
		addAttributes() {
			return { ...this.parent?.(), ...runAttributes };
		},
		addNodeView: () => codeView(drawBlock),
	}).configure({
		lowlight,
		defaultLanguage: null,
		enableTabIndentation: true,
	});

export const calloutView: NodeViewRenderer = (props) => {
	const options = CALLOUTS.map((kind) => [kind, kind[0]!.toUpperCase() + kind.slice(1)] as const);
	const select = chooser('Kind of callout', options, 'callout-label');
	const content = make('div');
	const dom = make('aside', {}, select, content);
	const draw = ({ attrs }: typeof props.node) => {
		select.value = String(attrs['kind']);
		dom.dataset['callout'] = select.value;
	};
	draw(props.node);
	select.addEventListener('change', () => {
		change(props, { kind: select.value });
		props.editor.view.focus();
	});
	return {
		dom,
		contentDOM: content,
		update: redraws(props, draw),
		stopEvent: ownEvents(select),
		ignoreMutation: ownChanges(content, select),
	};
};

/** A block that only its HTML can change. */
export const htmlView: NodeViewRenderer = (props) => {
	const shown = make('div', { inert: '' });
	const button = make('button', { type: 'button', class: 'html-edit' }, 'Edit HTML');
	const dom = make('div', { class: 'html-node', contenteditable: 'false' }, button, shown);
	const draw = ({ attrs }: typeof props.node) => {
		shown.innerHTML = sanitizeArticle(String(attrs['html']));
	};
	draw(props.node);
	const open = () => {
		dom.dispatchEvent(new CustomEvent('edit-html', { bubbles: true, detail: props.getPos }));
	};
	button.addEventListener('click', open);
	dom.addEventListener('edit', open);
	return {
		dom,
		update: redraws(props, draw),
		...marksSelection(dom),
		stopEvent: ownEvents(button),
		ignoreMutation: () => true,
	};
};
