import { useState } from 'react';
import { Done } from '#src/components/ui/Done.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { toast, type Notice } from '#src/components/ui/toast.store.ts';
import { sentToast } from '#src/lib/form.ts';
import { enroll } from './course.api.ts';
import { ENROLLED, enrollFailure, enrollForm, enrollSuccess } from './course.ts';

/** The signup form of the seven-day course, replaced by a sentence after the signup. */
export const EmailCourseForm = island(CourseForm);

function CourseForm() {
	const [enrolled, setEnrolled] = useState<Notice>();

	if (enrolled) {
		return (
			<Done>
				<p className="font-semibold">{enrolled.title}</p>
				<p className="mt-1 text-muted">{enrolled.description}</p>
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
			onSuccess={(answer) => {
				setEnrolled(sentToast(answer, { title: "You're enrolled!", description: ENROLLED }));
				toast(sentToast(answer, enrollSuccess));
			}}
			className="form-inline"
		/>
	);
}
