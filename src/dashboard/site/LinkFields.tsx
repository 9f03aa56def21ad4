import { useState } from 'react';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { isPath } from '#src/core/settings/links.ts';
import { DeadLinksNote } from '#src/dashboard/kit/DeadLinksNote.tsx';
import { isPhone } from '#src/dashboard/kit/phone.ts';
import type { SiteLink } from '#src/site.ts';
import { AddButton, OrderedList } from './OrderedList.tsx';

type Props = {
	/** The field's name, which the server's messages begin with. */
	name: string;
	label: string;
	hint: string;
	links: readonly SiteLink[];
	errors: Readonly<Record<string, string>>;
	onChange: (links: SiteLink[]) => void;
	/** On a phone it is folded until it is opened. */
	folds?: boolean;
};

/** Says where nothing is at a path of this site, before somebody saves a link to it. */
export const DeadLinkNote = ({ href }: { href: string }) => (
	<DeadLinksNote links={isPath(href) ? [href.split(/[?#]/, 1)[0]!] : []} />
);

/** Links in their order: changed, moved, added and removed. */
export function LinkFields({ name, label, hint, links, errors, onChange, folds }: Props) {
	const [isFolded, setFolded] = useState(() => folds && isPhone());
	const isRefused = Object.keys(errors).some((field) => field.split('.', 1)[0] === name);
	const change = (index: number, changes: Partial<SiteLink>) =>
		onChange(links.map((link, at) => (at === index ? { ...link, ...changes } : link)));
	return (
		<fieldset className="site-links">
			<legend>{label}</legend>
			<p className="field-hint">{hint}</p>
			<details
				open={!isFolded || isRefused}
				onToggle={({ currentTarget }) => setFolded(!currentTarget.open)}
			>
				<summary>{links.map((link) => link.label).join(', ') || 'None'}</summary>
				<OrderedList
					label={label}
					items={links}
					nameOf={({ label: words }, index) => words || `link ${index + 1}`}
					onChange={onChange}
					removable
				>
					{(link, index) => (
						<>
							<Field
								label="Words"
								name={`${name}.${index}.label`}
								value={link.label}
								maxLength={60}
								error={errors[`${name}.${index}.label`]}
								onChange={({ currentTarget }) => change(index, { label: currentTarget.value })}
							/>
							<Field
								label="Address"
								name={`${name}.${index}.href`}
								value={link.href}
								maxLength={500}
								spellCheck={false}
								error={errors[`${name}.${index}.href`]}
								onChange={({ currentTarget }) => change(index, { href: currentTarget.value })}
							/>
							<DeadLinkNote href={link.href} />
						</>
					)}
				</OrderedList>
				<FieldError>{errors[name]}</FieldError>
				<AddButton onAdd={() => onChange([...links, { label: '', href: '' }])}>
					Add a link
				</AddButton>
			</details>
		</fieldset>
	);
}
