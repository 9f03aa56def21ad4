import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { openScreen } from './address.store.ts';
import { useQuery } from './useQuery.ts';
import { $savedViews, filterOfQuery, isSameView, saveView, viewsOf } from './views.store.ts';

/** Filters of a list that were saved under a name: each in one press, the present one saved or forgotten. */
export function Views({ screen }: { screen: string }) {
	const { query } = useQuery(screen);
	const views = viewsOf(screen, useStore($savedViews));
	const [naming, setNaming] = useState(false);
	const filter = filterOfQuery(query);
	const current = views.find((view) => isSameView(view.query, filter));
	const isFiltered = Object.keys(filter).length > 0;
	if (views.length === 0 && !isFiltered) return null;
	return (
		<div className="views" role="group" aria-label="Views">
			{views.map((view) => (
				<button
					key={view.name}
					type="button"
					className="view"
					aria-pressed={view === current}
					onClick={() => openScreen(screen, view === current ? {} : view.query)}
				>
					{view.name}
				</button>
			))}
			{current && (
				<button
					type="button"
					className="link"
					onClick={() => {
						const { name, query: saved } = current;
						saveView(screen, name, null);
						const action = { label: 'Undo', run: () => saveView(screen, name, saved) };
						toast({ title: `View “${name}” forgotten`, action });
					}}
				>
					Forget this view
				</button>
			)}
			{!current && isFiltered && (
				<button type="button" className="link" onClick={() => setNaming(true)}>
					Save this view
				</button>
			)}
			<Dialog
				open={naming}
				onClose={() => setNaming(false)}
				title="Save this view"
				firstFocus="input"
			>
				<form
					className="grid gap-4"
					onSubmit={(event) => {
						event.preventDefault();
						const name = new FormData(event.currentTarget).get('name');
						if (typeof name !== 'string' || !name.trim()) return;
						saveView(screen, name.trim(), filter);
						setNaming(false);
					}}
				>
					<Field
						label="Name"
						name="name"
						required
						maxLength={40}
						autoComplete="off"
						hint="The search, the filters and the order of this list, kept in this browser. A view of the same name is replaced."
					/>
					<p>
						<Button type="submit">Save</Button>
					</p>
				</form>
			</Dialog>
		</div>
	);
}
