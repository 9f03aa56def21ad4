import { useState } from 'react';
import { Letters } from './Letters.tsx';
import { NextIssue } from './NextIssue.tsx';
import { Schedule } from './Schedule.tsx';
import { WriteLetter } from './WriteLetter.tsx';

/** The next issue of the newsletter, letters of their own, and what went out. */
export function NewsletterScreen() {
	/** Changes when something is sent, so that the list shows it. */
	const [sent, setSent] = useState(0);
	const onSent = () => setSent((count) => count + 1);
	return (
		<div className="grid gap-14">
			<NextIssue onSent={onSent} />
			<Letters key={sent} />
			<WriteLetter onSent={onSent} />
			<Schedule />
		</div>
	);
}
