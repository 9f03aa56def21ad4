import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { nextTab } from './tabs.ts';

type Tab = { id: string; label: string; content: ReactNode };
type Props = {
	label: string;
	tabs: readonly [Tab, ...Tab[]];
	selected: string;
	onSelect: (id: string) => void;
};

/** Tabs of the ARIA pattern: one tab stop; arrows, Home and End select. */
export function Tabs({ label, tabs, selected, onSelect }: Props) {
	const prefix = useId();
	const list = useRef<HTMLDivElement>(null);
	const found = tabs.findIndex(({ id }) => id === selected);
	const index = Math.max(0, found);
	const current = tabs[index] ?? tabs[0];

	useEffect(() => {
		// On narrow screens the selected tab may be out of view.
		const tab = list.current?.children[index] as HTMLElement | undefined;
		if (tab) list.current!.scrollLeft = tab.offsetLeft - list.current!.offsetLeft - 24;
	}, [index]);

	function move(event: KeyboardEvent) {
		const next = nextTab(event.key, index, tabs.length);
		if (next === null) return;
		event.preventDefault();
		onSelect(tabs[next]!.id);
		(list.current?.children[next] as HTMLElement | undefined)?.focus();
	}

	return (
		<div className="tabs">
			<div ref={list} role="tablist" aria-label={label} onKeyDown={move}>
				{tabs.map((tab) => (
					<button
						key={tab.id}
						type="button"
						role="tab"
						id={`${prefix}-${tab.id}`}
						aria-selected={tab === current}
						aria-controls={`${prefix}-${tab.id}-panel`}
						tabIndex={tab === current ? 0 : -1}
						onClick={() => onSelect(tab.id)}
					>
						{tab.label}
					</button>
				))}
			</div>
			{tabs.map((tab) => (
				// All panels stay mounted, so that typed text survives a switch of tabs.
				<div
					key={tab.id}
					role="tabpanel"
					id={`${prefix}-${tab.id}-panel`}
					aria-labelledby={`${prefix}-${tab.id}`}
					tabIndex={0}
					hidden={tab !== current}
				>
					{tab.content}
				</div>
			))}
		</div>
	);
}
