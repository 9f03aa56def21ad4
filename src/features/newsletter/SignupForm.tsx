import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { subscribe } from './newsletter.api.ts';
import { $subscribed, rememberSignup } from './subscribed.store.ts';
import { signupFailure, signupForm, signupSuccess, type Source } from './subscriber.ts';
import { Swap } from './Swap.tsx';

/** The newsletter signup of the home, newsletter and state pages. Subscribers see a sentence instead. */
export const SignupForm = island(Signup);

function Signup({ source = 'Newsletter Signup Form' }: { source?: Source }) {
	const subscribed = useStore($subscribed, { ssr: () => false });
	const [done, setDone] = useState(false);
	const [again, setAgain] = useState(false);
	const instead = subscribed && !again && (
		<>
			<p className="font-semibold">
				{done
					? "You're subscribed! Check your inbox for AI insights."
					: "You're Already Subscribed!"}
			</p>
			<button type="button" className="link text-sm" onClick={() => setAgain(true)}>
				Use another address
			</button>
		</>
	);
	return (
		<Swap instead={instead} focus={again ? 'form' : done ? 'sentence' : null}>
			<Form
				endpoint={subscribe}
				form={signupForm}
				hidden={{ source }}
				busy="Subscribing..."
				failure={signupFailure}
				onSuccess={() => {
					rememberSignup(source);
					setDone(true);
					setAgain(false);
					toast(signupSuccess);
				}}
				className="form-inline"
			/>
		</Swap>
	);
}
