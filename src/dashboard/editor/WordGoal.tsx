import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { formatCount, plural } from '#src/lib/text.ts';
import { $wordGoals, setWordGoal } from './view.store.ts';

/** The number of words, and how many there are to be where somebody set a goal. */
export function WordGoal({ postId, words }: { postId: string | null; words: number }) {
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
