import { useEffect, useState } from 'react';
import type { PostForm } from '#src/features/posts/editing.ts';
import { advise, internalLinks, type Advice } from './checklist.ts';

/** Addresses that were asked for, and whether something answers there. */
const known = new Map<string, Promise<boolean>>();

async function answers(path: string): Promise<boolean> {
	const response = await fetch(path, { method: 'HEAD' });
	return response.status !== 404;
}

/** The check list for a form, a moment after the last change of it. */
export function useAdvice(form: PostForm): readonly Advice[] {
	const [advice, setAdvice] = useState<Advice[]>([]);
	useEffect(() => {
		let stale = false;
		const timer = setTimeout(() => {
			setAdvice(advise(form));
			void deadLinks(form.content).then((dead) => {
				if (!stale) setAdvice(advise(form, dead));
			});
		}, 600);
		return () => {
			stale = true;
			clearTimeout(timer);
		};
	}, [form]);
	return advice;
}

async function deadLinks(html: string): Promise<Set<string>> {
	const links = internalLinks(html);
	const alive = await Promise.all(
		links.map((link) => {
			// Without an answer nothing is known: a link is dead only where the site says so.
			if (!known.has(link))
				known.set(
					link,
					answers(link).catch(() => true),
				);
			return known.get(link) ?? Promise.resolve(true);
		}),
	);
	return new Set(links.filter((_, index) => !alive[index]));
}

/** What could be better before publishing. It never blocks. */
export function Checklist({ advice }: { advice: readonly Advice[] }) {
	const open = advice.filter(({ good }) => !good);
	return (
		<ul className="checklist" aria-label="Check list">
			{[...open, ...advice.filter(({ good }) => good)].map(({ id, good, text }) => (
				<li key={id} data-good={good || undefined}>
					<span className="sr-only">{good ? 'Good: ' : 'Could be better: '}</span>
					{text}
				</li>
			))}
		</ul>
	);
}
