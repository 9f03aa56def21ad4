import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useQuery } from '#src/dashboard/kit/useQuery.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import * as api from '#src/features/pages/editing.api.ts';
import type { PageRow } from '#src/features/pages/editing.ts';
import { shortDate } from '#src/lib/dates.ts';
import { plural } from '#src/lib/text.ts';
import { slugify } from '#src/lib/slug.ts';
import { paths } from '#src/site.ts';
import { PageEditor } from './PageEditor.tsx';
import { pageWritings } from './page.store.ts';

const NOTHING = {};
const { $writings, isUnsaved } = pageWritings;

/** The pages with a text of their own, and the lists of the others: a list, and the form of the one in the address. */
export function PagesScreen() {
	const { query, set } = useQuery('pages');
	const slug = query['edit'];
	useEffect(() => {
		function warn(event: BeforeUnloadEvent) {
			if (Object.values($writings.get()).some(isUnsaved)) event.preventDefault();
		}
		addEventListener('beforeunload', warn);
		return () => removeEventListener('beforeunload', warn);
	}, []);
	if (!slug) return <PageList onOpen={(edit) => set({ edit })} />;
	return (
		<PageEditor
			key={slug}
			slug={slug}
			onClose={() => set({ edit: '' })}
			onMoved={(edit) => set({ edit }, 'replace')}
		/>
	);
}

/** Kinds of pages that the list can be narrowed to. */
const KINDS: Record<string, { label: string; has: (row: PageRow) => boolean }> = {
	questions: { label: 'Questions', has: ({ questions }) => questions > 0 },
	testimonials: { label: 'Testimonials', has: ({ testimonials }) => testimonials > 0 },
	offered: { label: 'Newer file', has: ({ offered }) => offered },
};

function PageList({ onOpen }: { onOpen: (slug: string) => void }) {
	const { query, set } = useQuery('pages');
	const writings = useStore($writings);
	const { answer, loading, error, reload } = useAnswer(api.listEditedPages, NOTHING);
	const [making, setMaking] = useState(false);
	const show = query['show'] ?? '';
	const found = answer?.filter((row) => KINDS[show]?.has(row) ?? true);

	const columns: Column<PageRow>[] = [
		{
			key: 'title',
			label: 'Title',
			cell: ({ slug, title, published, offered }) => (
				<>
					<button type="button" className="link row-open" onClick={() => onOpen(slug)}>
						{title}
					</button>
					{!published && <span className="row-note">not public</span>}
					{offered && <span className="row-note">newer file</span>}
					{isUnsaved(writings[slug]) && <span className="row-note">not saved</span>}
				</>
			),
		},
		{
			key: 'path',
			label: 'Address',
			wide: true,
			cell: ({ path }) => <span className="label break-all">{path}</span>,
		},
		{
			key: 'holds',
			label: 'What is edited',
			wide: true,
			cell: ({ questions, testimonials }) =>
				[
					questions > 0 && plural(questions, 'question'),
					testimonials > 0 && plural(testimonials, 'testimonial'),
				]
					.filter(Boolean)
					.join(', ') || 'Text',
		},
		{
			key: 'changed',
			label: 'Changed',
			end: true,
			wide: true,
			cell: ({ updatedAt }) => shortDate(updatedAt),
		},
	];
	return (
		<div className="pages-desk">
			<div className="desk-tools">
				<Segments
					label="Show"
					value={show}
					options={[
						{ value: '', label: 'All', count: answer?.length },
						...Object.entries(KINDS).map(([value, { label, has }]) => ({
							value,
							label,
							count: answer?.filter(has).length,
						})),
					]}
					onChange={(value) => set({ show: value })}
				/>
				<Button className="end" onClick={() => setMaking(true)}>
					New page
				</Button>
			</div>
			<DataTable
				label="Pages"
				columns={columns}
				page={found && { rows: found, total: found.length, page: 1, pageSize: found.length || 1 }}
				loading={loading}
				error={error}
				onRetry={reload}
				idOf={({ slug }) => slug}
				onPage={() => {}}
				empty={<p>There are no pages yet. “New page” makes one.</p>}
				onShowAll={show ? () => set({ show: '' }) : undefined}
			/>
			<Dialog open={making} onClose={() => setMaking(false)} title="New page" firstFocus="input">
				{making && <NewPage onMade={onOpen} />}
			</Dialog>
		</div>
	);
}

/** Makes a page that nobody sees yet. */
function NewPage({ onMade }: { onMade: (slug: string) => void }) {
	const [title, setTitle] = useState('');
	const { busy, reason, send } = useSubmit();
	const slug = slugify(title);
	const make = send(async () => onMade((await callAsAdmin(api.createPage, { title })).slug));
	return (
		<form method="post" noValidate className="page-new" onSubmit={make}>
			<Field
				label="Title"
				value={title}
				error={reason || undefined}
				hint={`Its address: ${slug ? paths.page(slug) : 'made of the title'}. You can change both later.`}
				autoComplete="off"
				onChange={({ currentTarget }) => setTitle(currentTarget.value)}
			/>
			<Button type="submit" busy={busy}>
				Create
			</Button>
		</form>
	);
}
