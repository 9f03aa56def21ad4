import { useEffect, useMemo, useState } from 'react';

const HEADINGS = ':scope > :is(h2, h3, h4)';

/** The headings of a text: where one is, and the way to each. */
export function Outline({ content, onGo }: { content: string; onGo: (index: number) => void }) {
	const headings = useMemo(() => {
		const { body } = new DOMParser().parseFromString(content, 'text/html');
		return [...body.querySelectorAll(HEADINGS)].map(({ tagName, textContent }) => ({
			depth: Number(tagName[1]),
			text: textContent.trim() || 'Untitled',
		}));
	}, [content]);
	const [current, setCurrent] = useState(-1);

	useEffect(() => {
		function see() {
			const shown = document.querySelector('.article-surface')?.querySelectorAll(HEADINGS) ?? [];
			const line = innerHeight * 0.4;
			setCurrent([...shown].findLastIndex((one) => one.getBoundingClientRect().top <= line));
		}
		see();
		addEventListener('scroll', see, { passive: true });
		return () => removeEventListener('scroll', see);
	}, [headings]);

	if (headings.length === 0) return null;
	return (
		<nav className="editor-outline" aria-label="Outline">
			<h2>Outline</h2>
			<ol>
				{headings.map(({ depth, text }, index) => (
					<li key={index} data-depth={depth}>
						<button
							type="button"
							aria-current={index === current ? 'location' : undefined}
							onClick={() => onGo(index)}
						>
							{text}
						</button>
					</li>
				))}
			</ol>
		</nav>
	);
}
