import { CENTER } from '#src/features/media/media.ts';
import { focusOf, pointOf, pressedPoint, type Point } from './focus.ts';

type Props = { src: string; value: string; onChange: (focus: string) => void };

/** The point that crops of a picture keep in sight: a press on the picture, or two sliders; beside it a card's crop. */
export function FocusField({ src, value, onChange }: Props) {
	const point = pointOf(value);
	const move = (changes: Partial<Point>) => onChange(focusOf({ ...point, ...changes }));
	const slider = (side: keyof Point, label: string) => (
		<label>
			{label}
			<input
				type="range"
				min={0}
				max={100}
				value={point[side]}
				aria-valuetext={`${point[side]} %`}
				onChange={(event) => move({ [side]: event.currentTarget.valueAsNumber })}
			/>
		</label>
	);
	return (
		<fieldset className="focus-field">
			<legend>Focal point</legend>
			<p className="field-hint">
				Press what cards must not cut off. In the text of a post the whole picture is shown.
			</p>
			<div className="focus-views">
				<div
					className="focus-whole"
					onClick={({ clientX, clientY, currentTarget }) =>
						move(pressedPoint({ clientX, clientY }, currentTarget.getBoundingClientRect()))
					}
				>
					<img src={src} alt="" />
					<span style={{ left: `${point.left}%`, top: `${point.top}%` }} />
				</div>
				<figure>
					<img className="focus-crop" src={src} alt="" style={{ objectPosition: value }} />
					<figcaption className="label">On a card</figcaption>
				</figure>
			</div>
			<div className="focus-sliders">
				{slider('left', 'From the left')}
				{slider('top', 'From the top')}
				<button
					type="button"
					className="link"
					disabled={value === CENTER}
					onClick={() => onChange(CENTER)}
				>
					Center
				</button>
			</div>
		</fieldset>
	);
}
