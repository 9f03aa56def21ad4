import '#src/dashboard/editor/editor.css';
import type { Node as ProseNode } from '@tiptap/pm/model';
import { EditorContent, useEditor } from '@tiptap/react';
import {
	useEffect,
	useImperativeHandle,
	useLayoutEffect,
	useMemo,
	useRef,
	useState,
	type Ref,
} from 'react';
import {
	closeArticle,
	openArticle,
	type OpenArticle,
} from '#src/dashboard/editor/article/article.ts';
import { toast } from '#src/components/ui/toast.store.ts';
import { reopenPlot } from '#src/core/figures/plots/compose.ts';
import { ACCEPTED_OR_DRAWN } from '#src/dashboard/media/photo.ts';
import type { Media } from '#src/features/media/media.ts';
import { describeOnce } from '#src/dashboard/media/described.store.ts';
import { PicturePicker } from '#src/dashboard/media/PicturePicker.tsx';
import { leaveFocus } from '#src/dashboard/editor/view.store.ts';
import { pasteInto } from './clipboard.store.ts';
import { insertAddress } from './cards.store.ts';
import { colorCode } from './code-colors.ts';
import { commandGroups, insertFigure, insertGallery, replaceFigure, writeIn } from './commands.ts';
import { EmbedDialog } from './EmbedDialog.tsx';
import { surfaceExtensions } from './extensions.ts';
import { FindBar } from './FindBar.tsx';
import { changeGallery, GalleryDialog } from './GalleryDialog.tsx';
import { LinkDialog } from './LinkDialog.tsx';
import type { NewPictures, PlaceOf } from './media-views.ts';
import { drawBlock } from '#src/dashboard/editor/plots/drawn.store.ts';
import { DiagramDialog } from '#src/dashboard/editor/plots/DiagramDialog.tsx';
import { PlotDialog } from '#src/dashboard/editor/plots/PlotDialog.tsx';
import { withTrailingParagraph } from './trailing-paragraph.ts';
import { SlashMenu } from './SlashMenu.tsx';
import { SourceDialog } from './SourceDialog.tsx';
import { BubbleMenu, Toolbar } from './Toolbar.tsx';
import {
	addImages,
	addStoredImage,
	addToGallery,
	attributesOf,
	storeLoosePictures,
} from './uploads.store.ts';
import type { Described } from './views.ts';

export type SurfaceHandle = {
	/** Gives out what was typed and not yet given out. */
	sync(): void;
	/** Shows another article. */
	set(html: string): void;
	focus(): void;
	/** Puts the cursor to the end of a heading, counted from the first one. */
	goToHeading(index: number): void;
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

/** A figure that a dialog makes, or changes at a place. */
type Drawing = {
	language: 'vega-lite' | 'mermaid';
	source: string | null;
	placeOf?: PlaceOf;
};

const FIGURE_DIALOGS = [
	['vega-lite', PlotDialog],
	['mermaid', DiagramDialog],
] as const;

/** Milliseconds from the last key until the article's HTML is written. */
const SETTLE_MS = 200;

/** Where an article is written, in the article's own type. */
export function Surface({ content, onChange, takesTitle, onTitle, onSource, onHelp, ref }: Props) {
	const [linking, setLinking] = useState(false);
	const [finding, setFinding] = useState<{ turn: number; isReplacing: boolean } | null>(null);
	/** The figure that is made, or changed where it has a place. */
	const [figure, setFigure] = useState<Drawing | null>(null);
	const [madeFigure, setMadeFigure] = useState<Drawing>();
	/** Where the picture goes that is being chosen: into the text, or onto the embed at a place. */
	const [picking, setPicking] = useState<'text' | { placeOf: PlaceOf } | null>(null);
	const [embedding, setEmbedding] = useState(false);
	const [address, setAddress] = useState<string>();
	const [picked, setPicked] = useState<Media>();
	const [block, setBlock] = useState<{ placeOf: PlaceOf; html: string } | null>(null);
	/** The gallery that is changed, and what of. */
	const [gallery, setGallery] = useState<PlaceOf | null>(null);
	const [changedGallery, setChangedGallery] = useState<[PlaceOf, ProseNode[]]>();
	const files = useRef<HTMLInputElement>(null);
	const opened = useRef<OpenArticle>(null);
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	const plainPaste = useRef(false);
	const slashKeys = useRef<(event: KeyboardEvent) => boolean>(() => false);
	const changed = useRef(onChange);
	changed.current = onChange;

	opened.current ??= openArticle(content);

	const editor = useEditor({
		extensions: useMemo(() => surfaceExtensions(drawBlock, leaveFocus), []),
		content: withTrailingParagraph(opened.current.doc).toJSON() as Record<string, unknown>,
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
				if (mod && !event.altKey && !event.shiftKey && /^[fh]$/i.test(event.key)) {
					event.preventDefault();
					openFind(event.key.toLowerCase() === 'h');
					return true;
				}
				if (event.altKey && event.key === 'F10') {
					document.querySelector<HTMLElement>('.editor-toolbar [tabindex="0"]')?.focus();
					return true;
				}
				return false;
			},
			handlePaste(_view, { clipboardData }): boolean {
				const isPlain = plainPaste.current;
				return (
					clipboardData !== null &&
					pasteInto(editor, clipboardData, { isPlain, takesTitle, onTitle })
				);
			},
			handleDrop(view, event, _slice, moved) {
				const dropped = [...(event.dataTransfer?.files ?? [])];
				if (moved || dropped.length === 0) return false;
				const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
				addImages(editor, dropped, at);
				return true;
			},
		},
		onUpdate: ({ editor }) => {
			clearTimeout(timer.current);
			timer.current = setTimeout(sync, SETTLE_MS);
			storeLoosePictures(editor);
		},
	});

	function openFind(isReplacing: boolean) {
		setFinding((before) => ({ turn: (before?.turn ?? 0) + 1, isReplacing }));
	}

	function sync() {
		if (timer.current === undefined) return;
		clearTimeout(timer.current);
		timer.current = undefined;
		changed.current(closeArticle(editor.state.doc, opened.current?.written));
	}

	useImperativeHandle(ref, () => ({
		sync,
		set(html) {
			clearTimeout(timer.current);
			timer.current = undefined;
			opened.current = openArticle(html);
			editor.commands.setContent(
				withTrailingParagraph(opened.current.doc).toJSON() as Record<string, unknown>,
				{
					emitUpdate: false,
				},
			);
		},
		focus() {
			// Within the turn of the key that leads here: the editor's own command waits for a frame, and the next key does not.
			editor.commands.setTextSelection(0);
			editor.view.focus();
		},
		goToHeading(index) {
			let left = index;
			editor.state.doc.forEach((node, offset) => {
				if (node.type.name !== 'heading' || left-- !== 0) return;
				editor.commands.focus(offset + node.nodeSize - 1, { scrollIntoView: false });
				(editor.view.nodeDOM(offset) as Element).scrollIntoView({ block: 'center' });
			});
		},
	}));

	// Gives out the last words also where the text is left at once.
	useLayoutEffect(() => () => sync(), []);

	useEffect(() => {
		const { dom } = editor.view;
		const onEdit = (event: Event) => {
			const placeOf = (event as CustomEvent<PlaceOf>).detail;
			const pos = placeOf();
			if (pos === undefined) return;
			setBlock({ placeOf, html: String(editor.state.doc.nodeAt(pos)?.attrs['html'] ?? '') });
		};
		const onPickStill = (event: Event) =>
			setPicking({ placeOf: (event as CustomEvent<PlaceOf>).detail });
		const onFigure = (event: Event) => {
			const placeOf = (event as CustomEvent<PlaceOf>).detail;
			const pos = placeOf();
			const node = pos === undefined ? null : editor.state.doc.nodeAt(pos);
			if (pos === undefined || !node) return;
			const language = String(node.attrs['language']) as Drawing['language'];
			const source = node.textContent;
			// What the dialog has no fields for is written as it is.
			if (language === 'vega-lite' && !reopenPlot(source)) writeIn(editor, pos);
			else setFigure({ language, source, placeOf });
		};
		const onGallery = (event: Event) => setGallery(() => (event as CustomEvent<PlaceOf>).detail);
		dom.addEventListener('edit-figure', onFigure);
		dom.addEventListener('edit-gallery', onGallery);
		dom.addEventListener('edit-html', onEdit);
		dom.addEventListener('pick-still', onPickStill);
		const onPictures = (event: Event) =>
			void addToGallery(editor, (event as CustomEvent<NewPictures>).detail);
		dom.addEventListener('add-pictures', onPictures);
		const onDescribe = (event: Event) => {
			const { src, alt } = (event as CustomEvent<Described>).detail;
			void describeOnce(src, alt);
		};
		dom.addEventListener('describe', onDescribe);
		return () => {
			dom.removeEventListener('edit-figure', onFigure);
			dom.removeEventListener('edit-gallery', onGallery);
			dom.removeEventListener('edit-html', onEdit);
			dom.removeEventListener('pick-still', onPickStill);
			dom.removeEventListener('add-pictures', onPictures);
			dom.removeEventListener('describe', onDescribe);
		};
	}, [editor]);

	useEffect(() => void colorCode(editor), [editor]);

	// The dialog is closed by then and has given the focus back, which the figure or picture takes.
	useEffect(() => {
		if (!madeFigure) return;
		setMadeFigure(undefined);
		const { language, source, placeOf } = madeFigure;
		const pos = placeOf?.();
		if (pos === undefined) insertFigure(editor, language, source ?? '');
		else replaceFigure(editor, pos, source ?? '');
	}, [editor, madeFigure]);
	useEffect(() => {
		if (!changedGallery) return;
		setChangedGallery(undefined);
		changeGallery(editor, ...changedGallery);
	}, [editor, changedGallery]);
	useEffect(() => {
		if (!picked) return;
		setPicked(undefined);
		addStoredImage(editor, picked);
	}, [editor, picked]);
	useEffect(() => {
		if (!address) return;
		setAddress(undefined);
		void insertAddress(editor, address).then((reason) => {
			if (reason)
				toast({ title: 'It is shown without its title and picture', description: reason });
		});
	}, [editor, address]);

	const groups = useMemo(
		() =>
			commandGroups({
				link: () => setLinking(true),
				image: () => files.current?.click(),
				plot: () => setFigure({ language: 'vega-lite', source: null }),
				diagram: () => setFigure({ language: 'mermaid', source: null }),
				gallery: () => insertGallery(editor),
				library: () => setPicking('text'),
				embed: () => setEmbedding(true),
				find: () => openFind(false),
			}),
		[editor],
	);

	function setStill(pos: number | undefined, image: Media) {
		const node = pos === undefined ? null : editor.state.doc.nodeAt(pos);
		if (pos === undefined || node?.type.name !== 'embed') return;
		const attrs = { ...node.attrs, ...attributesOf(image) };
		editor.view.dispatch(editor.state.tr.setNodeMarkup(pos, null, attrs));
	}

	function replaceBlock(html: string) {
		const pos = block?.placeOf();
		if (pos === undefined) return;
		const { doc } = openArticle(html);
		const nodes = doc.children
			.filter(({ type }) => type.name !== 'footnotes')
			.map((node) => editor.schema.nodeFromJSON(node.toJSON() as Record<string, unknown>));
		editor.view.dispatch(editor.state.tr.replaceWith(pos, pos + 1, nodes));
		setBlock(null);
	}

	return (
		<div className="editor-surface">
			<Toolbar editor={editor} groups={groups} onSource={onSource} onHelp={onHelp} />
			{finding && <FindBar editor={editor} {...finding} onClose={() => setFinding(null)} />}
			<div className="surface-box">
				<EditorContent editor={editor} />
				<BubbleMenu editor={editor} commands={groups[1] ?? []} />
				<SlashMenu editor={editor} commands={groups.flat()} keys={slashKeys} />
			</div>
			<input
				ref={files}
				type="file"
				accept={ACCEPTED_OR_DRAWN}
				multiple
				hidden
				aria-label="Images"
				onChange={(event) => {
					addImages(editor, [...(event.currentTarget.files ?? [])]);
					event.currentTarget.value = '';
				}}
			/>
			<LinkDialog editor={editor} open={linking} onClose={() => setLinking(false)} />
			{FIGURE_DIALOGS.map(([language, FigureDialog]) => (
				<FigureDialog
					key={language}
					open={figure?.language === language}
					source={figure?.source ?? null}
					onClose={() => setFigure(null)}
					onInsert={(source) => setMadeFigure({ ...figure, language, source })}
				/>
			))}
			<GalleryDialog
				editor={editor}
				placeOf={gallery}
				onClose={() => setGallery(null)}
				onChange={(pictures) => {
					setGallery(null);
					if (gallery) setChangedGallery([gallery, pictures]);
				}}
			/>
			<EmbedDialog
				open={embedding}
				onClose={() => setEmbedding(false)}
				onInsert={(address) => {
					setEmbedding(false);
					setAddress(address);
				}}
			/>
			<PicturePicker
				open={picking !== null}
				drawings={picking === 'text'}
				onClose={() => setPicking(null)}
				onPick={(image) => {
					setPicking(null);
					if (picking === 'text') setPicked(image);
					else setStill(picking?.placeOf(), image);
				}}
			/>
			<SourceDialog
				title="HTML of this block"
				html={block?.html ?? null}
				onClose={() => setBlock(null)}
				onApply={replaceBlock}
			/>
		</div>
	);
}
