import { useDeferredValue, useId, useMemo, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Choice, Explainer, Figures, fixed, Slider } from './parts.tsx';
import { encode, printed, train, type Tokenizer as Trained } from './tokenizer.ts';
import { ZEN } from './zen.ts';

const CORPORA = {
	zen: 'The Zen of Python',
	bananas: 'banana ×3, bandana ×2, cabana ×1',
	own: 'A text of your own',
};
type Corpus = keyof typeof CORPORA;
const BANANAS = 'banana\nbanana\nbanana\nbandana\nbandana\ncabana';
/** Enough for the other texts to run out of pairs. */
const MAX_MERGES = 400;
const LONGEST_TEXT = 5000;
const SAMPLES: Record<Corpus, string> = {
	zen: 'Now is better than never',
	bananas: 'anan banana cabana',
	own: 'Now is better than never',
};
const INITIAL = {
	corpus: 'zen' as Corpus,
	own: 'How much wood would a woodchuck chuck if a woodchuck could chuck wood?',
	steps: 120,
	sample: SAMPLES.zen,
};

/** Byte pair encoding learned in the browser, step by step. */
export const Tokenizer = island(View);

function View() {
	const [state, setState] = useState(INITIAL);
	const { corpus, own, sample } = state;
	// Learning takes longer than a keystroke.
	const text = useDeferredValue({ zen: ZEN, bananas: BANANAS, own }[corpus]);
	const trained = useMemo(() => train(text, MAX_MERGES), [text]);
	const most = trained.merges.length;
	const steps = Math.min(state.steps, most);
	const ids = encode(sample, trained, steps);
	const characters = [...sample].length;
	const [textId, ownId] = [useId(), useId()];
	const change = (changed: Partial<typeof INITIAL>) => setState({ ...state, ...changed });
	const tokens = ids.map((id) => printed(trained.vocabulary[id]!));

	const result =
		`After ${steps} ${steps === 1 ? 'merge' : 'merges'}: ${characters} ${characters === 1 ? 'character' : 'characters'}, ` +
		`${ids.length} ${ids.length === 1 ? 'token' : 'tokens'}.` +
		(steps > 0 ? ` ${mergeText(trained, steps)}` : ' Every byte is a token.');

	return (
		<Explainer
			title="Try it: a tokenizer that learns here"
			label="try it: tokenizer"
			result={result}
			hint={
				<>
					Write the sentence in capitals, NOW IS BETTER THAN NEVER: the same words, almost four
					times the tokens. Then try an emoji, or your own name.
				</>
			}
			picture={
				<>
					<ol className="explainer-tokens" aria-label="Tokens">
						{ids.map((id, i) => (
							<li key={i} className={id < 256 ? 'is-byte' : undefined}>
								<b>{tokens[i]}</b>
								<small aria-hidden="true">{id}</small>
							</li>
						))}
					</ol>
					{ids.length === 0 && <p className="explainer-note">Nothing to cut yet.</p>}
					<Curve trained={trained} steps={steps} />
				</>
			}
			table={
				<Figures
					summary="The last merges as a table"
					head={['Merge', 'Pair', 'Token', 'Times']}
					words={3}
					rows={trained.merges
						.slice(Math.max(0, steps - 10), steps)
						.map(({ pair, count }, i) => {
							const step = Math.max(0, steps - 10) + i + 1;
							const parts = pair.map((id) => printed(trained.vocabulary[id]!)).join(' + ');
							return [step, parts, printed(trained.vocabulary[255 + step]!), count];
						})
						.reverse()}
				/>
			}
		>
			<div className="explainer-field">
				<label htmlFor={textId}>Text to cut</label>
				<input
					id={textId}
					value={sample}
					maxLength={200}
					autoComplete="off"
					spellCheck={false}
					onChange={(event) => change({ sample: event.target.value })}
				/>
			</div>
			<Choice
				label="Learned from"
				value={corpus}
				options={CORPORA}
				onChange={(value) =>
					change({
						corpus: value,
						// A sample that nobody wrote makes room for one that suits.
						...(sample === SAMPLES[corpus] && { sample: SAMPLES[value] }),
						steps: value === 'zen' ? INITIAL.steps : 4,
					})
				}
			/>
			{corpus === 'own' && (
				<div className="explainer-field">
					<label htmlFor={ownId}>Your text, which stays in your browser</label>
					<textarea
						id={ownId}
						rows={4}
						maxLength={LONGEST_TEXT}
						spellCheck={false}
						value={own}
						onChange={(event) => change({ own: event.target.value })}
					/>
				</div>
			)}
			<Slider
				label="Merges"
				value={steps}
				text={`${steps} of ${most}`}
				range={[0, most, 1]}
				onChange={(value) => change({ steps: value })}
			/>
			<div className="explainer-buttons">
				<Button
					aria-disabled={steps === most}
					onClick={() => change({ steps: Math.min(most, steps + 1) })}
				>
					Next merge
				</Button>
				<Button variant="quiet" onClick={() => setState(INITIAL)}>
					Reset
				</Button>
			</div>
		</Explainer>
	);
}

function mergeText({ merges, vocabulary }: Trained, step: number): string {
	const { pair, count } = merges[step - 1]!;
	const [left, right] = pair.map((id) => printed(vocabulary[id]!));
	return `The last merge made “${printed(vocabulary[255 + step]!)}” of “${left}” and “${right}”, side by side ${count === 1 ? 'once' : `${count} times`}.`;
}

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [320, 150, 40, 24, 24];

/** How the training text shrinks. */
function Curve({ trained: { lengths, merges }, steps }: { trained: Trained; steps: number }) {
	const most = Math.max(1, lengths[0] ?? 1);
	const x = (step: number) => LEFT + (step / Math.max(1, merges.length)) * (WIDTH - LEFT - 8);
	const y = (length: number) => TOP + (1 - length / most) * (HEIGHT - TOP - BOTTOM);
	const now = lengths[steps] ?? 0;
	const ratio = now > 0 ? fixed(most / now, 2) : '1';
	return (
		<svg
			viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
			role="img"
			aria-label={`The training text shrinks from ${lengths[0]} bytes to ${now} tokens after ${steps} merges, ${ratio} bytes a token.`}
		>
			<path className="x-axis" d={`M${LEFT} ${TOP}V${y(0)}H${WIDTH}`} />
			<g className="x-quiet">
				<text x="0" y="9">
					training text: {now} tokens, {ratio} bytes each
				</text>
				<text x={LEFT - 6} y={y(most)} dy="0.35em" textAnchor="end">
					{lengths[0]}
				</text>
				<text x={LEFT - 6} y={y(0)} dy="0.35em" textAnchor="end">
					0
				</text>
				<text x={LEFT} y={HEIGHT - 6}>
					0
				</text>
				<text x={WIDTH - 8} y={HEIGHT - 6} textAnchor="end">
					{merges.length} merges
				</text>
			</g>
			<polyline
				className="x-line"
				points={lengths
					.map((length, step) => `${x(step).toFixed(1)},${y(length).toFixed(1)}`)
					.join(' ')}
			/>
			<line className="x-mark" x1={x(steps)} x2={x(steps)} y1={y(now)} y2={y(0)} />
			<circle className="x-here" cx={x(steps)} cy={y(now)} r="5" />
		</svg>
	);
}
