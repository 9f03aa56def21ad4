import { useId, useState } from 'react';
import { Field } from '#src/components/ui/Field.tsx';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { listStoredAuthors } from '#src/features/taxonomy/taxonomy.api.ts';
import { useAsync } from '#src/lib/useAsync.ts';

type Props = { value: string; error: string | undefined; onChange: (author: string) => void };

/** The byline: the name of an author with a page, any other name, or empty for the site's own. */
export function AuthorField({ value, error, onChange }: Props) {
	const id = useId();
	const [isAsked, setAsked] = useState(false);
	const {
		data,
		error: failure,
		reload,
	} = useAsync(isAsked ? 'authors' : null, () => callAsAdmin(listStoredAuthors, {}));
	const known = data?.find(({ name }) => name === value);
	return (
		<>
			<Field
				label="Author"
				list={id}
				value={value}
				maxLength={100}
				autoComplete="off"
				placeholder="The site’s own byline"
				error={error}
				hint={known ? 'Leads to a page about this author.' : undefined}
				onFocus={() => setAsked(true)}
				onChange={(event) => onChange(event.currentTarget.value)}
			/>
			<datalist id={id}>
				{data?.map(({ id: key, name }) => (
					<option key={key} value={name} />
				))}
			</datalist>
			<LoadError what="Authors" error={failure} reload={reload} />
		</>
	);
}
