import { useState } from 'react';
import { Done } from '#src/components/ui/Done.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { enroll } from './course.api.ts';
import { enrollFailure, enrollForm, enrollSuccess } from './course.ts';

/** The signup form of the seven-day course, replaced by a sentence after the signup. */
export const EmailCourseForm = island(CourseForm);

function CourseForm() {
	const [enrolled, setEnrolled] = useState(false);

	if (enrolled) {
		return (
			<Done>
				<p className="font-semibold">You&apos;re enrolled!</p>
				<p className="mt-1 text-muted">Check your email for Day 1</p>
			</Done>
		);
	}
	return (
		<Form
			endpoint={enroll}
			form={enrollForm}
			busy="Enrolling..."
			isIdleWhenEmpty
			failure={enrollFailure}
			onSuccess={() => {
				setEnrolled(true);
				toast(enrollSuccess);
			}}
			className="form-inline"
		/>
	);
}
