import { useEffect, useRef, useState } from 'react';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { enroll } from './course.api.ts';
import { enrollFailure, enrollForm, enrollSuccess } from './course.ts';

/** The signup of the seven-day course: a form, then a sentence in its place. */
export const EmailCourseForm = island(CourseForm);

function CourseForm() {
	const [enrolled, setEnrolled] = useState(false);
	const sentence = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (enrolled) sentence.current?.focus();
	}, [enrolled]);

	if (enrolled) {
		return (
			<div ref={sentence} tabIndex={-1} className="frame p-5">
				<p className="font-semibold">You&apos;re enrolled!</p>
				<p className="mt-1 text-muted">Check your email for Day 1</p>
			</div>
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
