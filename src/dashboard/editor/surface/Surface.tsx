import { Extension } from '@tiptap/core';
import { Placeholder } from '@tiptap/extensions';
import { EditorContent, useEditor } from '@tiptap/react';
import { useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref } from 'react';
import { toast } from '#src/components/ui/toast.store.ts';
import { messageOf } from '#src/lib/errors.ts';
import {
	closeArticle,
	openArticle,
	type OpenArticle,
} from '#src/dashboard/editor/article/article.ts';
import { commandGroups, insertMath } from './commands.ts';
import { FootnoteKeeping, insertArticle } from '#src/dashboard/editor/article/footnotes.ts';
import { LinkDialog } from './LinkDialog.tsx';
import {
	cleanMarkdown,
	cleanPaste,
	looksLikeMarkdown,
	type Pictures,
} from '#src/dashboard/editor/article/paste.ts';
import { Room, withRoom } from './room.ts';
import {
	articleExtensions,
	BlockMath,
	Callout,
	Html,
	InlineMath,
	Picture,
} from '#src/dashboard/editor/article/schema.ts';
import { SlashMenu } from './SlashMenu.tsx';
import { SourceDialog } from './SourceDialog.tsx';
import { BubbleMenu, Toolbar } from './Toolbar.tsx';
import { fileOf, uploadImage } from './uploads.store.ts';
import { holdPlace, loosePictures, replacePictures, UploadPlaces } from './uploads.ts';
import { calloutView, HighlightedCode, htmlView, mathView, pictureView } from './views.ts';

export type SurfaceHandle = {
	/** Gives out what was typed and not yet given out. */
	sync(): void;
	/** Shows another article. */
	set(html: string): void;
	focus(): void;
};

type Props = {
	/** The article that it opens with. */
	content: string;
	onChange: (html: string) => void;
	/** Whether a title that begins a pasted text is taken for the article's, and what takes it. */
	takesTitle: () => boolean;
	onTitle: (title: string) => void;
	/** The whole article's HTML is asked for. */
	onSource: () => void;
	onHelp: () => void;
	ref: Ref<SurfaceHandle>;
};

/** Milliseconds from the last key until the article's HTML is written. */
const SETTLE_MS = 200;

/** Where an article is written, in the article's own type. */
export function Surface({ content, onChange, takesTitle, onTitle, onSource, onHelp, ref }: Props) {
	const [linking, setLinking] = useState(false);
	const [block, setBlock] = useState<{ pos: number; html: string } | null>(null);
	const files = useRef<HTMLInputElement>(null);
	const opened = useRef<OpenArticle>(null);
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	const plainPaste = useRef(false);
	const slashKeys = useRef<(event: KeyboardEvent) => boolean>(() => false);
	/** Pictures on their way. */
	const sending = useRef(new Set<string>());
	const changed = useRef(onChange);
	changed.current = onChange;

	opened.current ??= openArticle(content);

	const editor = useEditor({
		extensions: useMemo(
			() => [
				...articleExtensions([
					HighlightedCode,
					Picture.extend({ addNodeView: () => pictureView }),
					InlineMath.extend({ addNodeView: () => mathView }),
					BlockMath.extend({ addNodeView: () => mathView }),
					Callout.extend({ addNodeView: () => calloutView }),
					Html.extend({ addNodeView: () => htmlView }),
				]),
				FootnoteKeeping,
				Room,
				UploadPlaces,
				Placeholder.configure({
					placeholder: 'Write, or press / for blocks. Markdown works.',
					showOnlyWhenEditable: true,
				}),
				OpenSelected,
			],
			[],
		),
		content: withRoom(opened.current.doc).toJSON() as Record<string, unknown>,
		injectCSS: false,
		shouldRerenderOnTransaction: false,
		editorProps: {
			attributes: {
				class: 'prose article-surface',
				role: 'textbox',
				'aria-multiline': 'true',
				'aria-label': 'Article',
			},
			handleDOMEvents: {
				// A paste comes before its keys are let go.
				keyup: () => {
					plainPaste.current = false;
				},
			},
			handleKeyDown(_view, event) {
				plainPaste.current = event.shiftKey;
				if (slashKeys.current(event)) return true;
				const mod = event.metaKey || event.ctrlKey;
				if (mod && !event.altKey && event.key.toLowerCase() === 'k') {
					event.preventDefault();
					event.stopPropagation();
					setLinking(true);
					return true;
				}
				if (event.altKey && event.key === 'F10') {
					document.querySelector<HTMLElement>('.editor-toolbar [tabindex="0"]')?.focus();
					return true;
				}
				return false;
			},
			handlePaste: (_view, event) => paste(event),
			handleDrop(view, event, _slice, moved) {
				const dropped = [...(event.dataTransfer?.files ?? [])];
				if (moved || dropped.length === 0) return false;
				const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
				upload(dropped, at);
				return true;
			},
		},
		onUpdate: ({ editor }) => {
			clearTimeout(timer.current);
			timer.current = setTimeout(sync, SETTLE_MS);
			for (const src of loosePictures(editor)) void uploadLoose(src);
		},
	});

	function sync() {
		if (timer.current === undefined) return;
		clearTimeout(timer.current);
		timer.current = undefined;
		changed.current(closeArticle(editor.state.doc, opened.current?.written));
	}

	function paste({ clipboardData: data }: ClipboardEvent): boolean {
		if (!data || editor.isActive('codeBlock')) return false;
		const html = data.getData('text/html');
		const text = data.getData('text/plain');
		const images = [...data.files].filter(({ type }) => type.startsWith('image/'));
		// A copied picture comes with HTML that only names it; a document comes with words.
		if (images.length > 0 && !text.trim()) {
			upload(images);
			return true;
		}
		if (html.includes('data-pm-slice')) return false;
		const isCode = data.types.includes('vscode-editor-data');
		if (html && !isCode && !plainPaste.current) {
			const pictures: Pictures = new Map();
			const clean = cleanPaste(html, pictures);
			if (clean) return insertArticle(editor, clean, pictures);
		}
		if (!plainPaste.current && looksLikeMarkdown(text)) {
			void import('#src/core/articles/markdown.ts')
				.then(({ markdownToHtml }) => markdownToHtml(text.replace(/\r\n?/g, '\n')))
				.then((made) => {
					const pictures: Pictures = new Map();
					const { html, title } = cleanMarkdown(made, takesTitle(), pictures);
					if (title) onTitle(title);
					insertArticle(editor, html, pictures);
				});
			return true;
		}
		return false;
	}

	function upload(chosen: File[], at = editor.state.selection.from) {
		for (const file of chosen) void uploadOne(file, at);
	}

	async function uploadOne(file: File, at: number) {
		const place = holdPlace(editor, file.name, at);
		try {
			const { url, alt, width, height } = await uploadImage(file, (part) => place.progress(part));
			place.arrive({ src: url, alt, width: String(width), height: String(height) });
		} catch (error) {
			place.leave();
			toast({ title: 'The image was not added', description: messageOf(error), destructive: true });
		}
	}

	/** Sends a picture that came within the text, and gives it its address. */
	async function uploadLoose(src: string) {
		if (sending.current.has(src)) return;
		sending.current.add(src);
		try {
			const { url, width, height } = await uploadImage(fileOf(src));
			const size = { width: String(width), height: String(height) };
			replacePictures(editor, src, { src: url, ...size });
		} catch (error) {
			replacePictures(editor, src, null);
			toast({
				title: 'A pasted picture was not added',
				description: messageOf(error),
				destructive: true,
			});
		} finally {
			sending.current.delete(src);
		}
	}

	useImperativeHandle(ref, () => ({
		sync,
		set(html) {
			clearTimeout(timer.current);
			timer.current = undefined;
			opened.current = openArticle(html);
			editor.commands.setContent(withRoom(opened.current.doc).toJSON() as Record<string, unknown>, {
				emitUpdate: false,
			});
		},
		focus: () => editor.commands.focus('start'),
	}));

	useEffect(() => {
		const { dom } = editor.view;
		const onEdit = (event: Event) => {
			const pos = (event as CustomEvent<number>).detail;
			setBlock({ pos, html: String(editor.state.doc.nodeAt(pos)?.attrs['html'] ?? '') });
		};
		dom.addEventListener('edit-html', onEdit);
		return () => dom.removeEventListener('edit-html', onEdit);
	}, [editor]);

	const groups = useMemo(
		() => commandGroups({ link: () => setLinking(true), image: () => files.current?.click() }),
		[],
	);

	function replaceBlock(html: string) {
		if (!block) return;
		const { doc } = openArticle(html);
		const nodes = doc.children
			.filter(({ type }) => type.name !== 'footnotes')
			.map((node) => editor.schema.nodeFromJSON(node.toJSON() as Record<string, unknown>));
		editor.view.dispatch(editor.state.tr.replaceWith(block.pos, block.pos + 1, nodes));
		setBlock(null);
	}

	return (
		<div className="editor-surface">
			<Toolbar editor={editor} groups={groups} onSource={onSource} onHelp={onHelp} />
			<div className="surface-box">
				<EditorContent editor={editor} />
				<BubbleMenu editor={editor} commands={groups[1] ?? []} />
				<SlashMenu editor={editor} commands={groups.flat()} keys={slashKeys} />
			</div>
			<input
				ref={files}
				type="file"
				accept="image/png,image/jpeg,image/webp,image/avif,image/gif"
				multiple
				hidden
				aria-label="Images"
				onChange={(event) => {
					upload([...(event.currentTarget.files ?? [])]);
					event.currentTarget.value = '';
				}}
			/>
			<LinkDialog editor={editor} open={linking} onClose={() => setLinking(false)} />
			<SourceDialog
				title="HTML of this block"
				html={block?.html ?? null}
				onClose={() => setBlock(null)}
				onApply={replaceBlock}
			/>
		</div>
	);
}

/** Enter opens a selected formula or block of HTML; a key begins a formula. */
const OpenSelected = Extension.create({
	name: 'openSelected',
	priority: 200,
	addKeyboardShortcuts() {
		return {
			Enter: () => {
				const { selection } = this.editor.state;
				const node = 'node' in selection ? (selection.node as { type: { name: string } }) : null;
				if (!node || !/^(inlineMath|blockMath|html)$/.test(node.type.name)) return false;
				this.editor.view.nodeDOM(selection.from)?.dispatchEvent(new Event('edit'));
				return true;
			},
			'Mod-Alt-m': () => {
				insertMath(this.editor, 'inlineMath');
				return true;
			},
		};
	},
});
