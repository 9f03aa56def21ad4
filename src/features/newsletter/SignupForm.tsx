import { useState } from 'react';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { track } from '#src/features/analytics/analytics.ts';
import { subscribe } from './newsletter.api.ts';
import { signupFailure, signupForm, signupSuccess, type Source } from './subscriber.ts';

/** The newsletter signup of home, newsletter and state pages: replaced by a sentence once subscribed. */
export const SignupForm = island(Signup);

function Signup({ source = 'Newsletter Signup Form' }: { source?: Source }) {
	const [subscribed, setSubscribed] = useState(false);
	if (subscribed) {
		return (
			<p role="status" className="frame p-4 font-semibold">
				You&apos;re subscribed! Check your inbox for AI insights.
			</p>
		);
	}
	return (
		<Form
			endpoint={subscribe}
			form={signupForm}
			hidden={{ source }}
			busy="Subscribing..."
			failure={signupFailure}
			onSuccess={() => {
				setSubscribed(true);
				track('newsletter_signup', source);
				toast(signupSuccess);
			}}
			className="form-inline"
		/>
	);
}
