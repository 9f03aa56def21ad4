import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { sentToast } from '#src/lib/form.ts';
import { subscribe } from './newsletter.api.ts';
import { $subscribed, rememberSignup } from './subscribed.store.ts';
import { signupForm, subscribeFailure, subscribeSuccess } from './subscriber.ts';
import { StableSwitch } from './StableSwitch.tsx';

const SUBSCRIBED_TEXT = "You're subscribed!";

type Props = { label?: string; variant?: 'primary' | 'quiet'; open?: boolean };

/**
 * A signup that starts as a button and becomes a form on its first click, or is one from the start (`open`).
 * Before hydration and without JavaScript the button links to the newsletter page.
 */
export const NewsletterButton = island(Newsletter);

function Newsletter({ label = 'Get the newsletter', variant = 'primary', open = false }: Props) {
	const subscribed = useStore($subscribed, { ssr: () => false });
	const [clicked, setClicked] = useState(false);
	/** The sentence that the form ended with. */
	const [done, setDone] = useState('');

	return (
		<div className="max-w-lg">
			<StableSwitch
				replacement={
					(subscribed || done) && <p className="font-semibold">{done || SUBSCRIBED_TEXT}</p>
				}
				focus={done ? 'sentence' : clicked ? 'form' : null}
			>
				{open || clicked ? (
					<Form
						endpoint={subscribe}
						form={signupForm}
						hidden={{ source: 'Newsletter Button' }}
						busy="Subscribing..."
						failure={subscribeFailure}
						onSuccess={(answer) => {
							if (!answer.unconfirmed) rememberSignup('Newsletter Button');
							setDone(answer.unconfirmed ? answer.message : SUBSCRIBED_TEXT);
							toast(sentToast(answer, subscribeSuccess));
						}}
						className="form-inline"
					/>
				) : (
					<form
						action="/newsletter"
						onSubmit={(event) => {
							event.preventDefault();
							setClicked(true);
						}}
					>
						<Button type="submit" variant={variant}>
							{label}
						</Button>
					</form>
				)}
			</StableSwitch>
		</div>
	);
}
