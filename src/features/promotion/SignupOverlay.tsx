import { useStore } from '@nanostores/react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { subscribe } from '#src/features/newsletter/newsletter.api.ts';
import { rememberSignup } from '#src/features/newsletter/subscribed.store.ts';
import {
	modalFailure,
	signupForm,
	subscribeFailure,
	subscribeSuccess,
} from '#src/features/newsletter/subscriber.ts';
import { sentToast } from '#src/lib/form.ts';
import type { Overlay } from './overlays.ts';
import { $overlay, closeOverlay } from './overlays.store.ts';

type Props = { name: Overlay; title: string; text: string };

/** The exit popup and the article's modal, hydrated when the first of them opens. */
export const SignupOverlay = island(Signup);

function Signup({ name, title, text }: Props) {
	const source = name === 'modal' ? 'Newsletter Modal' : 'Exit Popup';
	const open = useStore($overlay, { ssr: () => null }) === name;
	return (
		<Dialog open={open} onClose={closeOverlay} title={title} firstFocus="[type=email]" sheet>
			<p className="sheet-text mb-4 text-muted">{text}</p>
			<Form
				endpoint={subscribe}
				form={signupForm}
				hidden={{ source }}
				busy="Subscribing..."
				failure={name === 'modal' ? modalFailure : subscribeFailure}
				onSuccess={(answer) => {
					if (answer.unconfirmed) closeOverlay();
					else rememberSignup(source);
					toast(sentToast(answer, subscribeSuccess));
				}}
				className="form-inline"
			/>
			<Button variant="quiet" className="sheet-text mt-4" onClick={closeOverlay}>
				No thanks
			</Button>
		</Dialog>
	);
}
