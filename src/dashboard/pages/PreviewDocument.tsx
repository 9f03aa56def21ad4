import { Contents, FoldedContents } from '#src/components/ui/Contents.tsx';
import { PreviewText } from '#src/features/posts/PreviewArticle.tsx';
import type { Rendered } from '#src/features/posts/editing.api.ts';
import { longDate } from '#src/lib/dates.ts';
import type { PageForm } from '#src/features/pages/editing.ts';

type Props = { form: Pick<PageForm, 'title' | 'dated'>; rendered: Rendered };

/** A page that is being written, as `layouts/Document.astro` shows it. */
export function PreviewDocument({ form: { title, dated }, rendered: { html, headings } }: Props) {
	const parts = headings.filter(({ depth }) => depth === 2);
	const isDay = !Number.isNaN(Date.parse(dated));
	return (
		<div className="wrap mb-16 pt-12 sm:pt-16">
			<h1 dir="auto">{title}</h1>
			{isDay && <p className="label mt-4">Last updated: {longDate(dated)}</p>}
			<div className="mt-10 gap-x-16 lg:grid lg:grid-cols-[minmax(0,var(--container-text))_1fr] lg:grid-rows-[auto_1fr]">
				<div className="lg:col-start-1 lg:row-span-2 lg:row-start-1">
					<FoldedContents items={parts} />
					{html ? <PreviewText html={html} /> : <p className="text-muted">There is no text yet.</p>}
				</div>
				<div className="mt-12 lg:col-start-2 lg:row-start-2 lg:mt-0">
					<Contents items={parts} />
				</div>
			</div>
		</div>
	);
}
