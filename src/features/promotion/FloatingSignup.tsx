import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { CloseButton } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { subscribeToList } from '#src/features/newsletter/mail-list.api.ts';
import { mailListPayload } from '#src/features/newsletter/mail-list.ts';
import { rememberSignup } from '#src/features/newsletter/subscribed.store.ts';
import { listFailure, signupForm, subscribeSuccess } from '#src/features/newsletter/subscriber.ts';
import { sentToast } from '#src/lib/form.ts';
import { $widget, dismissWidget } from './overlays.store.ts';

const SOURCE = 'Floating Newsletter';

/** The expanded floating widget, hydrated by the first click that expands it. */
export const FloatingSignup = island(Floating);

/** `newsletter` is the letter's name. */
function Floating({
	newsletter,
	text = 'The new articles, usually on Thursdays. Free.',
}: {
	newsletter: string;
	text?: string;
}) {
	const expanded = useStore($widget, { ssr: () => 'hidden' as const }) === 'expanded';
	const panel = useRef<HTMLDivElement>(null);

	useEffect(() => {
		function expand(event: Event) {
			if (event.target instanceof Element && event.target.closest('[data-intent="floating"]'))
				$widget.set('expanded');
		}
		$widget.set('expanded');
		addEventListener('click', expand);
		return () => removeEventListener('click', expand);
	}, []);
	useEffect(() => {
		if (expanded) panel.current?.querySelector<HTMLElement>('[type=email]')?.focus();
	}, [expanded]);

	function minimize() {
		$widget.set('minimized');
		document.querySelector<HTMLElement>('[data-intent="floating"]')?.focus();
	}

	if (!expanded) return null;
	return (
		<div
			ref={panel}
			className="floating-panel frame"
			onKeyDown={(event) => {
				if (event.key === 'Escape') minimize();
			}}
		>
			<div className="flex items-center justify-between">
				<h2 className="text-base!">{newsletter}</h2>
				<span className="flex">
					<button
						type="button"
						className="icon-button"
						aria-label="Minimize newsletter signup"
						onClick={minimize}
					>
						<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
							<path d="M2.5 8h11" stroke="currentColor" strokeWidth="1.6" />
						</svg>
					</button>
					<CloseButton label="Dismiss newsletter signup" onClick={dismissWidget} />
				</span>
			</div>
			<p className="mb-3 text-sm text-muted">{text}</p>
			<Form
				endpoint={subscribeToList}
				form={signupForm}
				hidden={{ source: SOURCE }}
				payload={({ email = '' }) => mailListPayload({ email, source: SOURCE })}
				busy="Subscribing..."
				isIdleWhenEmpty
				draft="floating-newsletter"
				failure={listFailure}
				onSuccess={(answer) => {
					if (answer.unconfirmed) dismissWidget();
					else rememberSignup(SOURCE);
					toast(sentToast(answer, subscribeSuccess));
				}}
				className="form-inline"
			/>
		</div>
	);
}
