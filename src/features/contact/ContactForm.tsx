import { useState } from 'react';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { sendMessage } from './contact.api.ts';
import { contactForm } from './contact.ts';

/** The contact page's form. */
export const ContactForm = island(Contact);

function Contact() {
	const [sent, setSent] = useState(false);
	if (sent) {
		return (
			<p role="status" className="frame p-6 font-semibold">
				Thank you. Your message has arrived, and we answer within a few days.
			</p>
		);
	}
	return (
		<Form
			endpoint={sendMessage}
			form={contactForm}
			busy="Sending…"
			onSuccess={() => setSent(true)}
		/>
	);
}
