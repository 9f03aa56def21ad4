import { Component, createRef, type ReactNode } from 'react';

type Place = number | null;

/** Stays where it is in the window while what is above it grows or shrinks, because somebody may be about to press it. */
export class Steady extends Component<{ children: ReactNode }> {
	element = createRef<HTMLDivElement>();

	/** Returns the top in the window, where that is in sight or has been scrolled past. */
	override getSnapshotBeforeUpdate(): Place {
		const { top } = this.element.current!.getBoundingClientRect();
		return top < innerHeight ? top : null;
	}

	override componentDidUpdate(_props: object, _state: object, before: Place): void {
		if (before === null) return;
		const moved = this.element.current!.getBoundingClientRect().top - before;
		if (moved !== 0) scrollBy({ top: moved, behavior: 'instant' });
	}

	override render() {
		return <div ref={this.element}>{this.props.children}</div>;
	}
}
