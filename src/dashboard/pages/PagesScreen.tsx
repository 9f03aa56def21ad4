import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { column, type Column } from '#src/components/ui/DataTable.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { RecordScreen, type Filters } from '#src/dashboard/records/RecordScreen.tsx';
import * as api from '#src/features/pages/editing.api.ts';
import type { PageRow } from '#src/features/pages/editing.ts';
import { plural } from '#src/lib/text.ts';
import { slugify } from '#src/lib/slug.ts';
import { paths } from '#src/site.ts';
import { PageEditor } from './PageEditor.tsx';
import { pageWritings } from './page.store.ts';

const FILTERS: Filters<PageRow> = {
	questions: { label: 'Questions', has: ({ questions }) => questions > 0 },
	testimonials: { label: 'Testimonials', has: ({ testimonials }) => testimonials > 0 },
};

const COLUMNS: Column<PageRow>[] = [
	column('path', 'Address', ({ path }) => <span className="label break-all">{path}</span>, 'wide'),
	column(
		'holds',
		'What is edited',
		({ questions, testimonials }) =>
			[
				questions > 0 && plural(questions, 'question'),
				testimonials > 0 && plural(testimonials, 'testimonial'),
			]
				.filter(Boolean)
				.join(', ') || 'Text',
		'wide',
	),
];

/** The pages with a text of their own, and the lists of the others. */
export function PagesScreen() {
	return (
		<RecordScreen
			screen="pages"
			opens="edit"
			writings={pageWritings}
			call={api.list}
			label="Pages"
			noun="page"
			heading="Title"
			nameOf={({ title }) => title}
			notesOf={({ published }) => !published && <span className="row-note">not public</span>}
			columns={COLUMNS}
			filters={FILTERS}
			empty="There are no pages yet."
			dialogs={[
				{
					action: 'New page',
					focus: 'input',
					content: (_close, _reload, open) => <NewPage onMade={open} />,
				},
			]}
			editor={(props) => <PageEditor key={props.slug} {...props} />}
		/>
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
