import { cloneElement, type ReactElement, useEffect, useId, useRef } from 'react';
import './tooltip.css';

type Trigger = ReactElement<{ 'aria-describedby'?: string }>;

/** When a tooltip was last closed, anywhere on the page. */
let closedAt: number | undefined;

/**
 * A hint about a control, shown after the pointer rests on it, or at once on keyboard focus, and hidden by
 * Escape. Never for essential information: touch screens do not show it.
 */
export function Tooltip({ text, children }: { text: string; children: Trigger }) {
	const id = useId();
	const tip = useRef<HTMLSpanElement>(null);
	const trigger = useRef<HTMLSpanElement>(null);
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	const anchor = `--tip-${id.replace(/\W/g, '')}`;

	function show() {
		clearTimeout(timer.current);
		if (tip.current?.matches(':popover-open')) return;
		tip.current?.showPopover();
		if (!CSS.supports('anchor-name: --a')) place(tip.current!, trigger.current!);
		document.addEventListener('keydown', onEscape, true);
	}
	function hide() {
		clearTimeout(timer.current);
		document.removeEventListener('keydown', onEscape, true);
		if (!tip.current?.matches(':popover-open')) return;
		tip.current.hidePopover();
		closedAt = Date.now();
	}
	function onEscape(event: KeyboardEvent) {
		if (event.key !== 'Escape') return;
		event.preventDefault();
		hide();
	}
	useEffect(() => hide, []);

	return (
		<span
			ref={trigger}
			className="tooltip-trigger"
			style={{ anchorName: anchor }}
			onPointerEnter={(event) => {
				if (event.pointerType === 'touch') return;
				clearTimeout(timer.current);
				timer.current = setTimeout(show, tooltipDelay(closedAt, Date.now()));
			}}
			onPointerLeave={hide}
			onPointerDown={hide}
			onFocus={(event) => {
				if (event.target.matches(':focus-visible')) show();
			}}
			onBlur={hide}
		>
			{cloneElement(children, { 'aria-describedby': id })}
			<span
				ref={tip}
				id={id}
				role="tooltip"
				popover="manual"
				className="tooltip"
				style={{ positionAnchor: anchor }}
			>
				<span>{text}</span>
			</span>
		</span>
	);
}

/** Positions the tip above the trigger and inside the window, like CSS anchors where supported. */
function place(tip: HTMLElement, trigger: HTMLElement) {
	const at = trigger.getBoundingClientRect();
	const { width, height } = tip.getBoundingClientRect();
	const left = at.left + (at.width - width) / 2;
	tip.style.left = `${Math.max(0, Math.min(left, innerWidth - width))}px`;
	tip.style.top = `${at.top >= height ? at.top - height : at.bottom}px`;
}

/** Delays of product.md section 9, in milliseconds. */
const TOOLTIP = { delayMs: 700, skipMs: 300 } as const;

/** Returns how long the pointer must rest before a tooltip shows: 0 shortly after another one was shown. */
export function tooltipDelay(closedAt: number | undefined, now: number): number {
	return closedAt !== undefined && now - closedAt < TOOLTIP.skipMs ? 0 : TOOLTIP.delayMs;
}
