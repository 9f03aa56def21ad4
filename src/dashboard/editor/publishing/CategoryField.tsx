import { useRef, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import type { Category } from '#src/features/categories/category.ts';
import { createCategory } from '#src/features/taxonomy/taxonomy.api.ts';

/** Stands in the list for a category that there is not yet. */
const NEW = 'new';

type Props = {
	value: string;
	categories: readonly Category[];
	error: string | undefined;
	onChange: (id: string) => void;
	onCreated: (category: Category) => void;
};

/** The category of an article, which can be made here. Its color and the rest are given under Categories. */
export function CategoryField({ value, categories, error, onChange, onCreated }: Props) {
	const [name, setName] = useState<string>();
	const { busy, errors, failure, run, forget } = useSubmit();
	const place = useRef<HTMLDivElement>(null);
	function close() {
		forget();
		setName(undefined);
		place.current?.querySelector('select')?.focus();
	}
	const create = () =>
		void run(async () => {
			const made = await callAsAdmin(createCategory, { name: name ?? '' });
			onCreated(made);
			onChange(made.id);
			close();
		});
	return (
		<div ref={place} className="grid gap-3">
			<Field
				type="select"
				label="Category"
				value={name === undefined ? value : NEW}
				options={[
					...(value ? [] : [{ value: '', label: 'Choose a category' }]),
					...categories.map((one) => ({ value: one.id, label: one.name })),
					{ value: NEW, label: 'New category…' },
				]}
				onChange={({ currentTarget }) => {
					if (currentTarget.value === NEW) return setName('');
					close();
					onChange(currentTarget.value);
				}}
				error={error}
			/>
			{name !== undefined && (
				<>
					<Field
						label="Name of the new category"
						value={name}
						maxLength={100}
						autoComplete="off"
						autoFocus
						error={(errors['name'] ?? failure) || undefined}
						onChange={({ currentTarget }) => setName(currentTarget.value)}
						onKeyDown={(event) => {
							if (event.key === 'Escape') close();
							if (event.key !== 'Enter') return;
							event.preventDefault();
							create();
						}}
					/>
					<div className="flex gap-3">
						<Button variant="quiet" busy={busy} onClick={create}>
							Create
						</Button>
						<Button variant="quiet" onClick={close}>
							Cancel
						</Button>
					</div>
				</>
			)}
		</div>
	);
}
