import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { sentToast } from '#src/lib/form.ts';
import { subscribe } from './newsletter.api.ts';
import { $subscribed, rememberSignup } from './subscribed.store.ts';
import {
	CADENCE_LABELS,
	CADENCES,
	SIGNUP_DONE,
	signupFailure,
	signupForm,
	signupSuccess,
	type Source,
} from './subscriber.ts';
import { StableSwitch } from './StableSwitch.tsx';

/** The newsletter signup of the home, newsletter and state pages. Subscribers see a sentence instead. */
export const SignupForm = island(Signup);

type Props = {
	source?: Source;
	/** Categories to choose from. */
	topics?: { id: string; name: string }[];
	/** In one row with its label. */
	look?: 'row';
	/** Sentences after it, where they are not the usual ones. */
	done?: string;
	toast?: string;
};

function Signup({
	source = 'Newsletter Signup Form',
	topics = [],
	look,
	done: doneText = SIGNUP_DONE,
	toast: description = signupSuccess.description,
}: Props) {
	const subscribed = useStore($subscribed, { ssr: () => false });
	const [done, setDone] = useState(false);
	const [again, setAgain] = useState(false);
	/** The step that is left, where the site asks by email first. */
	const [asked, setAsked] = useState('');
	const instead = (subscribed || asked) && !again && (
		<>
			<p className="font-semibold">
				{asked ? asked : done ? `You're subscribed! ${doneText}` : "You're Already Subscribed!"}
			</p>
			<button type="button" className="link text-sm" onClick={() => setAgain(true)}>
				Use another address
			</button>
		</>
	);
	return (
		<StableSwitch replacement={instead} focus={again ? 'form' : done || asked ? 'sentence' : null}>
			<Form
				endpoint={subscribe}
				form={signupForm}
				hidden={{ source }}
				busy="Subscribing..."
				failure={signupFailure}
				onSuccess={(answer) => {
					if (answer.unconfirmed) setAsked(answer.message);
					else rememberSignup(source);
					setDone(!answer.unconfirmed);
					setAgain(false);
					toast(sentToast(answer, { ...signupSuccess, description }));
				}}
				className={look ? 'form-inline form-row' : 'form-inline'}
			>
				{topics.length > 1 && (
					<details className="col-span-full">
						<summary>How often, and which topics</summary>
						<fieldset className="mt-3 grid gap-1">
							<legend className="field-hint">How often</legend>
							{CADENCES.map((value) => (
								<label key={value} className="flex min-h-11 items-center gap-3">
									<input
										className="size-6 shrink-0"
										type="radio"
										name="cadence"
										value={value}
										defaultChecked={value === 'weekly'}
									/>
									{CADENCE_LABELS[value]}
								</label>
							))}
						</fieldset>
						<fieldset className="mt-3 grid gap-x-6 sm:grid-cols-2">
							<legend className="field-hint">Choose none to hear of everything.</legend>
							{topics.map(({ id, name }) => (
								<label key={id} className="flex min-h-11 items-center gap-3">
									<input className="size-6 shrink-0" type="checkbox" name="topics" value={id} />
									{name}
								</label>
							))}
						</fieldset>
					</details>
				)}
			</Form>
		</StableSwitch>
	);
}
