import { type RefObject, useState } from 'react';
import { limitOf, minutesOf, POST_LIMITS, type PostForm } from '#src/features/posts/editing.ts';
import { formatCount, plural } from '#src/lib/text.ts';
import { textLength } from '#src/lib/text-length.ts';
import { Surface, type SurfaceHandle } from './surface/Surface.tsx';
import { useStore } from '@nanostores/react';
import { $wordGoals, setWordGoal } from './view.store.ts';

type Props = {
	/** Null before the server knows the post. */
	postId: string | null;
	form: PostForm;
	/** The article as it was last saved to the post: what is too long already may stay so. */
	savedContent: string;
	errors: Record<string, string>;
	title: RefObject<HTMLTextAreaElement | null>;
	surface: RefObject<SurfaceHandle | null>;
	onEdit: (changes: Partial<PostForm>) => void;
	/** Whether a title that begins a pasted text is taken for the article's. */
	takesTitle: () => boolean;
	onSource: () => void;
	onHelp: () => void;
};

/** Title, excerpt and article of a post, written as readers see them. */
export function Paper({
	postId,
	form,
	savedContent,
	errors,
	title,
	surface,
	onEdit,
	takesTitle,
	onSource,
	onHelp,
}: Props) {
	return (
		<div className="editor-paper">
			<textarea
				dir="auto"
				ref={title}
				className="editor-title"
				aria-label="Title"
				placeholder="Title"
				rows={1}
				value={form.title}
				maxLength={POST_LIMITS.title}
				aria-invalid={errors['title'] !== undefined}
				onChange={(event) => onEdit({ title: event.currentTarget.value.replace(/\n/g, ' ') })}
				onKeyDown={(event) => {
					if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
					if (event.nativeEvent.isComposing) return;
					event.preventDefault();
					surface.current?.focus();
				}}
			/>
			<FieldError message={errors['title']} />
			<textarea
				dir="auto"
				className="editor-excerpt"
				aria-label="Excerpt"
				aria-describedby="excerpt-count"
				placeholder="An excerpt: what a card or a list says about it"
				rows={1}
				value={form.excerpt}
				maxLength={POST_LIMITS.excerpt}
				onChange={(event) => onEdit({ excerpt: event.currentTarget.value.replace(/\n/g, ' ') })}
			/>
			<p id="excerpt-count" className="editor-count label">
				{form.excerpt.length} of {POST_LIMITS.excerpt}
			</p>
			<Surface
				ref={surface}
				content={form.content}
				onChange={(content) => onEdit({ content })}
				takesTitle={takesTitle}
				onTitle={(title) => onEdit({ title: title.slice(0, POST_LIMITS.title) })}
				onSource={onSource}
				onHelp={onHelp}
			/>
			<Counts postId={postId} form={form} savedContent={savedContent} />
			<FieldError message={errors['content']} />
		</div>
	);
}

/** Words and minutes; characters, once they are nearly too many. */
function Counts({ postId, form, savedContent }: Pick<Props, 'postId' | 'form' | 'savedContent'>) {
	const characters = textLength(form.content);
	const mostCharacters = limitOf(POST_LIMITS.content, textLength(savedContent));
	const words = form.content
		.replace(/<[^>]*>/g, ' ')
		.split(/\s+/)
		.filter(Boolean).length;
	return (
		<div className="editor-words label">
			<WordGoal postId={postId} words={words} />
			{words > 0 && ` · ${minutesOf(form)} min read`}
			{characters > mostCharacters * 0.9 &&
				` · ${formatCount(characters)} of ${formatCount(mostCharacters)} characters`}
		</div>
	);
}

function FieldError({ message }: { message: string | undefined }) {
	if (message === undefined) return null;
	return (
		<p role="alert" className="field-error">
			{message}
		</p>
	);
}

/** The number of words, and how many there are to be where somebody set a goal. */
function WordGoal({ postId, words }: { postId: string | null; words: number }) {
	const goal = useStore($wordGoals)[postId ?? ''];
	const [isAsking, setAsking] = useState(false);
	if (!postId) return plural(words, 'word');
	if (isAsking)
		return (
			<form
				className="word-goal"
				onSubmit={(event) => {
					event.preventDefault();
					const wanted = Math.floor(Number(new FormData(event.currentTarget).get('words')));
					setWordGoal(postId, wanted >= 1 ? wanted : null);
					setAsking(false);
				}}
				onKeyDown={(event) => {
					if (event.key !== 'Escape') return;
					event.preventDefault();
					setAsking(false);
				}}
			>
				<label>
					Words wanted{' '}
					<input
						type="number"
						name="words"
						min={1}
						max={1_000_000}
						defaultValue={goal}
						autoFocus
						placeholder="None"
					/>
				</label>
				<button>Set goal</button>
			</form>
		);
	return (
		<span className="word-goal">
			{goal ? `${formatCount(words)} of ${plural(goal, 'word')}` : plural(words, 'word')}
			{goal && <progress aria-label="Word goal" value={Math.min(words, goal)} max={goal} />}
			{goal && words >= goal && ' reached'}
			<button type="button" onClick={() => setAsking(true)}>
				{goal ? 'Change goal' : 'Set a goal'}
			</button>
		</span>
	);
}
