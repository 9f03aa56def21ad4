import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import type { Edited } from '#src/core/records/record.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { ChangeSize } from '#src/dashboard/kit/ChangeSize.tsx';
import { Difference } from '#src/dashboard/kit/Difference.tsx';
import { When } from '#src/dashboard/kit/When.tsx';
import { messageOf } from '#src/lib/errors.ts';
import { joinWithAnd } from '#src/lib/text.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import type { Desk } from './desk.store.ts';

type Props<Of extends Edited<Form>, Form extends object, At extends object> = {
	desk: Desk<Of, Form, At>;
	slug: string;
	/** The form on the screen, to compare with. */
	form: Form;
	onClose: () => void;
	onRestore: (form: Form) => void;
};

/** Earlier versions of a record, what has changed since, and a way back. */
export function History<Of extends Edited<Form>, Form extends object, At extends object>({
	desk,
	slug,
	form,
	onClose,
	onRestore,
}: Props<Of, Form, At>) {
	const { between, labels, textOf } = desk.kind;
	const at = desk.at(slug);
	const list = useAsync(slug, () => callAsAdmin(desk.listRevisions, at));
	const [given, setVersion] = useState<number | null>(null);
	const version = given ?? list.data?.[0]?.version ?? null;
	const shown = useAsync(version === null ? null : `${slug} ${version}`, () =>
		callAsAdmin(desk.getRevision, { ...at, version: version ?? 0 }),
	);
	const error = (!list.loading && list.error) || (!shown.loading && shown.error);
	const chosen = version === null ? undefined : shown.data;
	return (
		<Dialog open onClose={onClose} title="Earlier versions">
			{error ? (
				<SectionError
					message={messageOf(error)}
					onRetry={() => {
						list.reload();
						if (shown.error) shown.reload();
					}}
				/>
			) : !list.data ? (
				<Skeleton label="Loading versions" rows={4} />
			) : list.data.length === 0 ? (
				<p className="text-muted">
					There are none yet. One is kept each time the {desk.noun} is changed.
				</p>
			) : (
				<div className="versioned-history">
					<ol aria-label="Versions">
						{list.data.map((one) => (
							<li key={one.version}>
								<button
									type="button"
									aria-pressed={one.version === chosen?.version}
									onClick={() => setVersion(one.version)}
								>
									<span>
										<When at={one.savedAt} hour />
										<span className="label block">
											Version {one.version}
											{one.changed.length > 0 && `: ${joinWithAnd(one.changed).toLowerCase()}`}
										</span>
									</span>
									<span className="label">
										<ChangeSize {...one} />
									</span>
								</button>
							</li>
						))}
					</ol>
					{chosen ? (
						<div className="versioned-choose">
							{between(chosen.form, form).length === 0 && (
								<p className="text-muted">It says what is on the screen.</p>
							)}
							{between(chosen.form, form).map((name) => (
								<div key={name}>
									<p className="label">{labels[name]}</p>
									<Difference old={textOf(chosen.form, name)} later={textOf(form, name)} />
								</div>
							))}
							{between(chosen.form, form).length > 0 && (
								<>
									<Button className="justify-self-start" onClick={() => onRestore(chosen.form)}>
										Restore this version
									</Button>
									<p className="field-hint">
										It comes into the form. No page changes before you save.
									</p>
								</>
							)}
						</div>
					) : (
						<Skeleton label="Loading the version" rows={3} />
					)}
				</div>
			)}
		</Dialog>
	);
}
