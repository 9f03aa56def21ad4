import { useEffect, useRef, useState } from 'react';
import { Done } from '#src/components/ui/Done.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { missingToast } from '#src/lib/form.ts';
import { sendMessage } from './contact.api.ts';
import { contactForm, topicFromQuery } from './contact.ts';

/** The contact form. `?topic=` in the address preselects the topic. */
export const ContactForm = island(Contact);

type Props = { topics: string[]; sentText: string };

function Contact({ topics, sentText }: Props) {
	const [sent, setSent] = useState(false);
	const place = useRef<HTMLDivElement>(null);

	useEffect(() => {
		const topic = topicFromQuery(location.search, topics);
		const select = place.current?.querySelector('select');
		if (topic && select) select.value = topic;
	}, []);

	if (sent) {
		return <Done className="frame self-start bg-sunken p-6 font-semibold">{sentText}</Done>;
	}
	return (
		<div ref={place}>
			<Form
				endpoint={sendMessage}
				form={contactForm(topics)}
				busy="Sending…"
				failure={missingToast}
				onSuccess={() => setSent(true)}
				className="grid content-start gap-5"
			/>
		</div>
	);
}
