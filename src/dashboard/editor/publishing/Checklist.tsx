import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { $described } from '#src/dashboard/media/described.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { showMedia } from '#src/features/media/media.api.ts';
import { mediaId } from '#src/features/media/media.ts';
import { findAlike } from '#src/features/posts/editing.api.ts';
import type { PostForm } from '#src/features/posts/editing.ts';
import { call } from '#src/lib/endpoint.ts';
import { deadAmong } from '#src/dashboard/kit/dead-links.ts';
import { advise, formulasOf, internalLinks, type Advice, type Known } from './checklist.ts';
import { problemOf } from '#src/dashboard/editor/article/formula.ts';

/**
 * The check list for the form of an article, a moment after the last change of it. Where it `isLast`, other articles are
 * compared and programs run, for which Python has to be loaded.
 */
export function useAdvice(form: PostForm, id: string | undefined, isLast: boolean) {
	const [advice, setAdvice] = useState<readonly Advice[]>([]);
	const described = useStore($described);
	/** The last findings, shown until there are others, so that no point comes and goes. */
	const known = useRef<Known>(undefined);
	useEffect(() => {
		let stale = false;
		function show(found = known.current) {
			if (stale) return;
			known.current = found;
			setAdvice(advise(form, found));
		}
		const timer = setTimeout(() => {
			show();
			void Promise.all([
				deadAmong(internalLinks(form.content)),
				brokenFormulas(form.content),
				isUndescribed(form.featuredImage),
				isLast ? alikeTo(form.content, id) : null,
			]).then(async ([dead, broken, isSilent, alike]) => {
				show({ dead, broken, isSilent, alike });
				if (stale || !isLast) return;
				const { runPrograms } = await import('./programs.ts');
				const runs = await runPrograms(form.content);
				show({ dead, broken, isSilent, alike, runs });
			});
		}, 600);
		return () => {
			stale = true;
			clearTimeout(timer);
		};
	}, [form, id, described, isLast]);
	return advice;
}

/** Whether an image of the library has no description. Without an answer nothing is known. */
async function isUndescribed(featuredImage: string): Promise<boolean> {
	const id = mediaId(featuredImage);
	if (!id) return false;
	return call(showMedia, { id }).then(
		({ alt }) => alt === '',
		() => false,
	);
}

/** The public article that says nearly the same. Without an answer nothing is known. */
async function alikeTo(content: string, id: string | undefined) {
	return callAsAdmin(findAlike, { content, ...(id !== undefined && { id }) }).then(
		({ alike }) => alike,
		() => null,
	);
}

async function brokenFormulas(html: string): Promise<Map<string, string>> {
	const broken = new Map<string, string>();
	for (const latex of formulasOf(html)) {
		const problem = await problemOf(latex);
		if (problem !== null) broken.set(latex, problem);
	}
	return broken;
}

/** Suggestions before publishing. They never block it. */
export function Checklist({ advice }: { advice: readonly Advice[] }) {
	const open = advice.filter(({ good }) => !good);
	return (
		<ul className="checklist" aria-label="Check list">
			{[...open, ...advice.filter(({ good }) => good)].map(({ id, good, text, link }) => (
				<li key={id} data-good={good || undefined}>
					<span className="sr-only">{good ? 'Good: ' : 'Could be better: '}</span>
					{text}
					{link && (
						<a className="link" href={link.href} target="_blank" rel="noopener">
							{link.text}
						</a>
					)}
				</li>
			))}
		</ul>
	);
}
