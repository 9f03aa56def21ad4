import {
	useEffect,
	useId,
	useState,
	type ChangeEvent,
	type PointerEvent,
	type ReactNode,
} from 'react';

type Props = {
	/** Name of the group of controls. */
	title: string;
	/** Label of the frame. */
	label: string;
	/** A change to make, and where to look. */
	hint: ReactNode;
	/** The current result in a sentence or two. */
	result: string;
	picture: ReactNode;
	/** The picture takes the whole width. */
	isWide?: boolean;
	children: ReactNode;
	/** Below the rest: a table of what the picture shows. */
	table: ReactNode;
};

/** The frame of an explainer: its picture, its controls, its result in words and figures. */
export function Explainer(props: Props) {
	return (
		<div
			className="explainer frame js-only no-print"
			role="group"
			aria-label={props.title}
			data-live
		>
			<p className="frame-label" aria-hidden="true">
				{props.label}
			</p>
			<div className={props.isWide ? 'explainer-parts explainer-wide' : 'explainer-parts'}>
				<div className="explainer-picture">
					{props.picture}
					<Result text={props.result} />
				</div>
				<div className="explainer-controls">{props.children}</div>
			</div>
			{props.table}
			<p className="explainer-hint">
				<strong>Try this.</strong> {props.hint}
			</p>
		</div>
	);
}

/** How long a result stands before screen readers are told: not at each move of a slider. */
const SETTLE_MS = 600;

function Result({ text }: { text: string }) {
	const [settled, setSettled] = useState(text);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(text), SETTLE_MS);
		return () => clearTimeout(timer);
	}, [text]);
	return (
		<>
			<p className="explainer-result" aria-hidden="true">
				{text}
			</p>
			<output className="sr-only">{settled}</output>
		</>
	);
}

type SliderProps = {
	label: string;
	value: number;
	/** The value in print and for screen readers. */
	text: string;
	/** The least, the most, and a step. */
	range: [min: number, max: number, step: number];
	onChange: (value: number) => void;
};

export function Slider({ label, value, text, range: [min, max, step], onChange }: SliderProps) {
	const id = useId();
	return (
		<div className="explainer-slider">
			<label htmlFor={id}>{label}</label>
			<span aria-hidden="true">{text}</span>
			<input
				id={id}
				type="range"
				aria-valuetext={text}
				onChange={(event) => onChange(Number(event.target.value))}
				{...{ value, min, max, step }}
			/>
		</div>
	);
}

type ChoiceProps<Value extends string> = {
	label: string;
	value: Value;
	options: Record<Value, string>;
	onChange: (value: Value) => void;
};

export function Choice<Value extends string>({
	label,
	value,
	options,
	onChange,
}: ChoiceProps<Value>) {
	const id = useId();
	return (
		<div className="explainer-field">
			<label htmlFor={id}>{label}</label>
			<select
				id={id}
				className="select"
				value={value}
				onChange={(event: ChangeEvent<HTMLSelectElement>) => onChange(event.target.value as Value)}
			>
				{Object.entries<string>(options).map(([name, text]) => (
					<option key={name} value={name}>
						{text}
					</option>
				))}
			</select>
		</div>
	);
}

type CheckProps = { label: string; checked: boolean; onChange: (checked: boolean) => void };

export function Check({ label, checked, onChange }: CheckProps) {
	return (
		<label className="explainer-check">
			<input
				type="checkbox"
				checked={checked}
				onChange={(event) => onChange(event.target.checked)}
			/>
			{label}
		</label>
	);
}

type Content = {
	head: string[];
	/** How many columns from the first on are words; the rest are figures. */
	words?: number;
	/** Cells below the head. */
	rows?: ReactNode[][];
	/** Place of the row that the controls are set to. */
	current?: number;
	/** Further rows. */
	children?: ReactNode;
};

/** The current figures in a table that opens; wide ones scroll by themselves. */
export function Figures({ summary, ...content }: Content & { summary: string }) {
	const id = useId();
	return (
		<details className="explainer-figures">
			<summary id={id}>{summary}</summary>
			<Table labelledBy={id} {...content} />
		</details>
	);
}

type TableProps = Content & { label?: string; labelledBy?: string };

export function Table({ label, labelledBy, head, words = 1, ...body }: TableProps) {
	const { rows = [], current, children } = body;
	const alignment = (column: number) => (column < words ? undefined : 'align-right');
	return (
		<div
			className="table-scroll"
			tabIndex={0}
			role="group"
			aria-label={label}
			aria-labelledby={labelledBy}
		>
			<table>
				<thead>
					<tr>
						{head.map((name, i) => (
							<th key={i} scope="col" className={alignment(i)}>
								{name}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map(([name, ...cells], i) => (
						<tr key={i} className={i === current ? 'is-current' : undefined}>
							<th scope="row">{name}</th>
							{cells.map((cell, j) => (
								<td key={j} className={alignment(j + 1)}>
									{cell}
								</td>
							))}
						</tr>
					))}
					{children}
				</tbody>
			</table>
		</div>
	);
}

type HandleProps = {
	x: number;
	y: number;
	/** Called with the pointer's position in the picture's units. */
	onDrag: (x: number, y: number) => void;
};

/** A point of a picture that a pointer can take along; for the keyboard there are sliders that do the same. */
export function Handle({ x, y, onDrag }: HandleProps) {
	function move(event: PointerEvent<SVGCircleElement>) {
		const { currentTarget: circle, pointerId, clientX, clientY } = event;
		const matrix = circle.ownerSVGElement?.getScreenCTM()?.inverse();
		if (!matrix || !circle.hasPointerCapture(pointerId)) return;
		const place = new DOMPoint(clientX, clientY).matrixTransform(matrix);
		onDrag(place.x, place.y);
	}
	return (
		<g className="x-handle">
			<circle cx={x} cy={y} r="7" />
			<circle
				cx={x}
				cy={y}
				r="24"
				onPointerDown={(event) => {
					event.preventDefault();
					event.currentTarget.setPointerCapture(event.pointerId);
				}}
				onPointerMove={move}
			/>
		</g>
	);
}

/** With a true minus sign. */
export function fixed(value: number, digits: number): string {
	const text = value.toFixed(digits);
	return /^-0\.?0*$/.test(text) ? text.slice(1) : text.replace('-', '−');
}

/** Four significant digits at most, large numbers grouped, huge ones and tiny ones in powers of ten. */
export function significant(value: number): string {
	const size = Math.abs(value);
	if (!Number.isFinite(value)) return 'beyond all numbers';
	if (size !== 0 && (size < 0.001 || size >= 1e7)) {
		const [digits = '', power = ''] = value.toExponential(1).split('e');
		return `${digits} × 10${[...power.replace('+', '')].map((digit) => RAISED[digit] ?? '').join('')}`;
	}
	return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}
const RAISED: Record<string, string> = {
	...Object.fromEntries([...'⁰¹²³⁴⁵⁶⁷⁸⁹'].map((raised, digit) => [String(digit), raised])),
	'-': '⁻',
};
