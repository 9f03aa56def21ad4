import { Component, type ComponentType, type ReactNode } from 'react';
import { MESSAGES } from '#src/lib/errors.ts';
import { Button } from './Button.tsx';

type Level = 'section' | 'page';
type State = { failed: false } | { failed: true; error: unknown };

/** Shows the fallback of product.md section 2 if its content throws; the error itself goes to the console. */
export class ErrorBoundary extends Component<{ level?: Level; children: ReactNode }, State> {
	override state: State = { failed: false };

	static getDerivedStateFromError(error: unknown): State {
		return { failed: true, error };
	}

	/** Lets who listens for errors of the page hear of this one too. */
	override componentDidCatch(error: unknown) {
		dispatchEvent(new CustomEvent('island-failed', { detail: error }));
	}

	override render() {
		if (!this.state.failed) return this.props.children;
		const { error } = this.state;
		const retry = () => this.setState({ failed: false });
		return this.props.level === 'page' ? (
			<PageError
				message={(error instanceof Error && error.message) || MESSAGES.unknown}
				onRetry={retry}
			/>
		) : (
			<SectionError onRetry={retry} />
		);
	}
}

/** Wraps a component as an island with the fallback of its level; `page` is for an island that is the main content. */
export function island<Props extends object>(View: ComponentType<Props>, level: Level = 'section') {
	function Island(props: Props) {
		return (
			<ErrorBoundary level={level}>
				<View {...props} />
			</ErrorBoundary>
		);
	}
	// Marked as React's, so that a build does not render each island twice to detect that.
	return Object.assign(Island, { [Symbol.for('astro:renderer')]: '@astrojs/react' });
}

/** The page-level fallback. Without `onRetry`, trying again reloads the page. */
export function PageError({ message, onRetry }: { message: string; onRetry?: () => void }) {
	return (
		<div role="alert" className="error-fallback frame">
			<p className="frame-label">error</p>
			<h2>Oops! Something went wrong</h2>
			<p>{message}</p>
			<p className="error-actions">
				{onRetry ? (
					<Button onClick={onRetry}>Try Again</Button>
				) : (
					<a className="button button-primary" href="">
						Try Again
					</a>
				)}
				<a className="button button-quiet" href="/">
					Go Home
				</a>
			</p>
		</div>
	);
}

/** The section-level fallback. */
export function SectionError({ message, onRetry }: { message?: string; onRetry?: () => void }) {
	return (
		<div role="alert" className="error-fallback frame">
			<p className="frame-label">error</p>
			<p className="error-title">Section Error</p>
			<p>{message ?? 'This part of the page could not be shown. The rest of it works.'}</p>
			{onRetry && (
				<p className="error-actions">
					<Button variant="quiet" onClick={onRetry}>
						Retry
					</Button>
				</p>
			)}
		</div>
	);
}
