import { useState } from 'react';
import { Segments } from '#src/components/ui/Segments.tsx';
import { useQuery } from '#src/dashboard/kit/useQuery.ts';
import { Course } from './Course.tsx';
import { Letters } from './Letters.tsx';
import { Numbers } from './Numbers.tsx';
import { NextIssue } from './NextIssue.tsx';
import { WriteLetter } from './WriteLetter.tsx';

const PARTS = [
	{ value: '', label: 'Next issue' },
	{ value: 'letters', label: 'Letters' },
	{ value: 'course', label: 'Course' },
	{ value: 'numbers', label: 'Numbers' },
] as const;

/** The newsletter in parts: the next issue and when it goes out, letters, the course, and what became of them. */
export function NewsletterScreen() {
	const { query, set } = useQuery('newsletter');
	const part = PARTS.find(({ value }) => value === query['part'])?.value ?? '';
	/** Parts that were open once keep what was typed in them. */
	const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
	if (!seen.has(part)) setSeen(new Set([...seen, part]));
	/** Changes when something is sent, so that the list shows it. */
	const [sent, setSent] = useState(0);
	const onSent = () => setSent((count) => count + 1);
	return (
		<>
			<div className="desk-tools mb-8">
				<Segments
					label="Part"
					value={part}
					options={PARTS}
					onChange={(value) => set({ part: value })}
				/>
			</div>
			<div hidden={part !== ''}>{seen.has('') && <NextIssue onSent={onSent} />}</div>
			<div hidden={part !== 'letters'}>
				{seen.has('letters') && (
					<div className="grid gap-14">
						<WriteLetter onSent={onSent} />
						<Letters key={sent} />
					</div>
				)}
			</div>
			{part === 'course' && <Course />}
			{part === 'numbers' && <Numbers />}
		</>
	);
}
