import { useStore } from '@nanostores/react';
import { useRef } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { LivePreview } from '#src/dashboard/editor/preview/LivePreview.tsx';
import { ViewSwitch } from '#src/dashboard/editor/preview/ViewSwitch.tsx';
import type { SurfaceHandle } from '#src/dashboard/editor/surface/Surface.tsx';
import { $view } from '#src/dashboard/editor/view.store.ts';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { Fold } from '#src/dashboard/kit/Fold.tsx';
import { inputsOf } from '#src/dashboard/records/inputs.tsx';
import { RecordEditor, type FieldsProps } from '#src/dashboard/records/RecordEditor.tsx';
import { deletePage } from '#src/features/pages/editing.api.ts';
import { fieldsOf, PAGE, type EditedPage, type PageForm } from '#src/features/pages/editing.ts';
import { builtIn } from '#src/features/pages/page.ts';
import { PreviewDocument } from './PreviewDocument.tsx';
import { isoDay } from '#src/lib/dates.ts';
import { messageOf } from '#src/lib/errors.ts';
import { Questions, Testimonials } from './Entries.tsx';
import { pageWritings } from './page.store.ts';
import { TextField } from './TextField.tsx';

type Props = { slug: string; onClose: () => void; onMoved: (slug: string) => void };

/** The form of one page. */
export function PageEditor({ slug, onClose, onMoved }: Props) {
	const surface = useRef<SurfaceHandle>(null);

	async function remove({ title }: EditedPage) {
		try {
			const { undo } = await callAsAdmin(deletePage, { page: slug });
			pageWritings.$writings.setKey(slug, undefined);
			onClose();
			tellUndoable({ title: `${title} deleted` }, undo, () => onMoved(slug));
		} catch (problem) {
			toast({ title: 'Not deleted', description: messageOf(problem), destructive: true });
		}
	}
	return (
		<div className="pages-desk">
			<RecordEditor
				desk={pageWritings}
				slug={slug}
				onClose={onClose}
				onMoved={onMoved}
				onSettle={() => surface.current?.sync()}
				actions={(base) => (
					<>
						{fieldsOf(slug).includes('content') && <ViewSwitch name="page" />}
						{!builtIn(slug) && (
							<Button variant="quiet" onClick={() => void remove(base)}>
								Delete
							</Button>
						)}
					</>
				)}
			>
				{(props) => <PageFields {...props} surface={surface} />}
			</RecordEditor>
		</div>
	);
}

type PageFieldsProps = FieldsProps<EditedPage, PageForm> & {
	surface: React.RefObject<SurfaceHandle | null>;
};

function PageFields({ base, form, errors, setForm, surface }: PageFieldsProps) {
	const fields = fieldsOf(base.slug);
	const { page: isPreviewed = false } = useStore($view);
	const { text, box } = inputsOf(PAGE.labels, { form, errors, setForm });
	return (
		<>
			{fields.includes('content') && (
				<>
					<div className="page-fields">
						{text('title')}
						{fields.includes('published') && (
							<div>
								{box('published', 'Public: readers and search engines find it')}
								{box('footer', 'The footer links to it')}
							</div>
						)}
					</div>
					<TextField
						content={form.content}
						error={errors['content']}
						surface={surface}
						onChange={(content) => setForm({ content })}
						preview={
							isPreviewed && (
								<LivePreview title="The page as readers see it" content={form.content} isPage>
									{(rendered) => <PreviewDocument form={form} rendered={rendered} />}
								</LivePreview>
							)
						}
					/>
					<div className="page-fields">
						<Fold
							name="Details"
							heading="h3"
							note={form.slug}
							isNeeded={['slug', 'description', 'dated'].some((field) => field in errors)}
						>
							{fields.includes('slug') &&
								text('slug', { hint: 'The former address leads to the new one.' })}
							{text('description', { hint: 'In search results, and where the page is shared.' })}
							<div className="page-day">
								{text('dated', { hint: 'Below the title, like 2026-05-31. Empty for no date.' })}
								<Button variant="quiet" onClick={() => setForm({ dated: isoDay(new Date()) })}>
									Today
								</Button>
							</div>
						</Fold>
					</div>
				</>
			)}
			{fields.includes('questions') && (
				<Questions
					entries={form.questions}
					errors={errors}
					onChange={(questions) => setForm({ questions })}
				/>
			)}
			{fields.includes('testimonials') && (
				<Testimonials
					entries={form.testimonials}
					errors={errors}
					onChange={(testimonials) => setForm({ testimonials })}
				/>
			)}
		</>
	);
}
