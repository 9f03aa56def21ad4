import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { Fold } from '#src/dashboard/kit/Fold.tsx';
import { AddButton, OrderedList } from '#src/dashboard/site/OrderedList.tsx';
import type { IssueLink } from '#src/features/newsletter/next-issue.ts';

type Props = {
	links: IssueLink[];
	errors: Record<string, string>;
	onChange: (links: IssueLink[]) => void;
};

/** Links to something else than articles. */
export function IssueLinks({ links, errors, onChange }: Props) {
	const set = (index: number, changes: Partial<IssueLink>) =>
		onChange(links.map((link, at) => (at === index ? { ...link, ...changes } : link)));
	const error = Object.entries(errors).find(([name]) => name.startsWith('links'))?.[1];
	return (
		<Fold
			name="Other links"
			heading="h3"
			note={links.length > 0 ? String(links.length) : 'None'}
			isNeeded={error !== undefined}
		>
			<p className="field-hint">After the articles: what else is worth your readers’ time.</p>
			<div className="letter-posts mt-3">
				<OrderedList
					label="Other links of the issue"
					items={links}
					nameOf={({ title }, index) => title || `link ${index + 1}`}
					removable
					onChange={onChange}
				>
					{({ title, href, text }, index) => (
						<div className="letter-link">
							<Field
								label="Title"
								value={title}
								maxLength={150}
								onChange={({ currentTarget }) => set(index, { title: currentTarget.value })}
							/>
							<Field
								label="Address"
								value={href}
								placeholder="https://"
								onChange={({ currentTarget }) => set(index, { href: currentTarget.value })}
							/>
							<Field
								label="A sentence about it"
								value={text}
								maxLength={300}
								onChange={({ currentTarget }) => set(index, { text: currentTarget.value })}
							/>
						</div>
					)}
				</OrderedList>
			</div>
			<FieldError>{error}</FieldError>
			<AddButton
				className="mt-3"
				onAdd={() => onChange([...links, { title: '', href: '', text: '' }])}
			>
				Add a link
			</AddButton>
		</Fold>
	);
}
