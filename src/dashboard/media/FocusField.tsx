import { CENTER } from '#src/features/media/media.ts';

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

/** Percentages from the left and from the top. */
type Point = { left: number; top: number };

export function pointOf(focus: string): Point {
	const [left, top] = focus.split(' ').map((part) => Number.parseInt(part, 10));
	return { left: left!, top: top! };
}

export const focusOf = ({ left, top }: Point) => `${left}% ${top}%`;

/** Returns where in a box somebody pressed, as whole percentages. */
export function pressedPoint(
	{ clientX, clientY }: { clientX: number; clientY: number },
	box: Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>,
): Point {
	const part = (at: number, length: number) =>
		Math.round(Math.min(1, Math.max(0, length > 0 ? at / length : 0.5)) * 100);
	return { left: part(clientX - box.left, box.width), top: part(clientY - box.top, box.height) };
}
