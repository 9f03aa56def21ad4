import { useState } from 'react';
import { Done } from '#src/components/ui/Done.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { sendFeedback } from './feedback.api.ts';
import { FEEDBACK_QUESTION, FEEDBACK_THANKS, feedbackForm } from './feedback.ts';

/** The question under an article. Words and the button follow the choice; without styles everything is there. */
export const FeedbackForm = island(Question);

function Question({ postId }: { postId: string }) {
	const [done, setDone] = useState(false);
	if (done) return <Done>{FEEDBACK_THANKS}</Done>;
	return (
		<div>
			<fieldset className="peer flex flex-wrap items-center gap-x-6">
				<legend className="float-left mr-6">{FEEDBACK_QUESTION}</legend>
				{(['yes', 'no'] as const).map((value) => (
					<label key={value} className="flex min-h-11 items-center gap-3">
						<input className="size-6" type="radio" name="answer" value={value} form="feedback" />
						{value === 'yes' ? 'Yes' : 'No'}
					</label>
				))}
			</fieldset>
			<Form
				id="feedback"
				endpoint={sendFeedback}
				form={feedbackForm}
				hidden={{ postId }}
				busy="Sending…"
				onSuccess={() => setDone(true)}
				className="mt-3 hidden gap-4 peer-has-checked:grid"
			/>
		</div>
	);
}
