import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { column, type Column, DataTable } from '#src/components/ui/DataTable.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { $address } from '#src/dashboard/kit/address.store.ts';
import { Menu } from '#src/dashboard/kit/Menu.tsx';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { useList } from '#src/dashboard/kit/useQuery.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { createdColumn, When } from '#src/dashboard/kit/When.tsx';
import {
	deleteRedirect,
	listRedirects,
	saveRedirect,
} from '#src/features/redirects/redirects.api.ts';
import { type Origin, ORIGINS, type RedirectRow } from '#src/features/redirects/redirect.ts';
import { localDate } from '#src/lib/dates.ts';
import { parse } from '#src/lib/endpoint.ts';
import { formatCount, plural } from '#src/lib/text.ts';
import { ImportForm } from './ImportForm.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';

/** The dialog that is open, and for which redirect. */
type Open = { what: 'create' | 'import' } | { what: 'edit' | 'remove'; redirect: RedirectRow };

const USES: Column<RedirectRow>[] = [
	column(
		'last',
		'Last used',
		({ lastHitAt }) =>
			lastHitAt === null ? <span className="text-muted">Never</span> : <When at={lastHitAt} />,
		'end',
		'wide',
	),
	column('hits', 'Used', ({ hits }) => formatCount(hits), 'sortable', 'end'),
];

/** How often the list looks whether readers are led on. */
const WAITING_MS = 4000;

/** Former addresses and where they lead: the admin's own, and those that imports and new addresses made. */
export function RedirectsScreen() {
	const { set, input, answer, reload, table } = useList('redirects', listRedirects);
	const [open, setOpen] = useState<Open>();
	const { screen } = useStore($address);
	const { busy, run } = useSubmit('That did not work');
	const close = () => setOpen(undefined);
	const waits = answer?.rows.some((row) => row.waits) ?? false;
	useEffect(() => {
		if (!waits || screen !== 'redirects') return;
		const timer = setTimeout(reload, WAITING_MS);
		return () => clearTimeout(timer);
	}, [answer, waits, screen]);
	const redirect = open && 'redirect' in open ? open.redirect : undefined;
	/** Tells what was done, with a way back, and shows how things are now. */
	function told(title: string, undo: string | null) {
		close();
		tellUndoable({ title }, undo, reload);
		reload();
	}
	const remove = ({ from }: RedirectRow) =>
		run(async () => {
			const { undo } = await callAsAdmin(deleteRedirect, { from });
			told(`${from} leads nowhere now`, undo);
		});

	const columns: Column<RedirectRow>[] = [
		column(
			'from',
			'Address',
			({ from, to, waits }) => (
				<>
					<span className="break-all">{from}</span>
					<span className="block break-all text-muted">
						<span aria-hidden="true">→ </span>
						<span className="sr-only">leads to </span>
						{to}
					</span>
					{waits && <span className="label block">Waits for the next build</span>}
				</>
			),
			'sortable',
		),
		column('origin', 'Made', ({ origin }) => ORIGINS[origin], 'wide'),
		createdColumn('Since'),
		...(answer?.areCounted === false ? [] : USES),
		column(
			'actions',
			'Actions',
			(row) => (
				<Menu label={`Actions for ${row.from}`}>
					{row.origin === 'desk' && (
						<button type="button" onClick={() => setOpen({ what: 'edit', redirect: row })}>
							Change<span className="sr-only"> {row.from}</span>
						</button>
					)}
					<button
						type="button"
						className="text-danger"
						onClick={() => setOpen({ what: 'remove', redirect: row })}
					>
						Remove…<span className="sr-only"> {row.from}</span>
					</button>
				</Menu>
			),
			'end',
		),
	];
	const { q, origin } = input;
	return (
		<div>
			<div className="desk-tools">
				<Segments
					label="Made"
					value={origin ?? ''}
					options={[
						{ value: '', label: 'All' },
						...(Object.keys(ORIGINS) as Origin[]).map((value) => ({
							value,
							label: ORIGINS[value],
							count: answer?.counts[value],
						})),
					]}
					onChange={(value) => set({ origin: value })}
				/>
				<SearchField
					label="Search addresses"
					value={q}
					onSearch={(text) => set({ q: text }, 'replace')}
				/>
				<span className="end flex gap-3">
					<Button variant="quiet" onClick={() => setOpen({ what: 'import' })}>
						Import
					</Button>
					<Button onClick={() => setOpen({ what: 'create' })}>Add a redirect</Button>
				</span>
			</div>
			{answer?.areCounted === false && (
				<p className="mb-4 text-muted">This host leads on by itself and counts no uses.</p>
			)}
			<DataTable
				{...table}
				label="Redirects"
				columns={columns}
				idOf={({ from, origin: made }) => `${made} ${from}`}
				empty={
					<p>
						No former address leads anywhere yet. A new address of an article, category or page
						makes one by itself, and so does an import.
					</p>
				}
				onShowAll={q || origin ? () => set({ q: '', origin: '' }) : undefined}
			/>
			<Dialog
				open={open?.what === 'create' || open?.what === 'edit'}
				onClose={close}
				title={redirect ? 'Change a redirect' : 'Add a redirect'}
				firstFocus={redirect ? '[name=to]' : '[name=from]'}
			>
				<RedirectForm redirect={redirect} onSaved={told} />
			</Dialog>
			<Dialog open={open?.what === 'import'} onClose={close} title="Import redirects">
				<ImportForm onSaved={told} />
			</Dialog>
			<Dialog
				open={open?.what === 'remove'}
				onClose={close}
				title="Remove this redirect?"
				closeLabel="Cancel"
			>
				{redirect && (
					<>
						<p className="mb-4 break-words">
							<code className="break-all">{redirect.from}</code> leads to{' '}
							<code className="break-all">{redirect.to}</code>. Without it readers see “not found”.{' '}
							{redirect.lastHitAt
								? `It was used ${plural(redirect.hits, 'time')}, last on ${localDate(redirect.lastHitAt)}.`
								: ''}
						</p>
						<Button variant="danger" busy={busy} onClick={() => void remove(redirect)}>
							Remove
						</Button>
					</>
				)}
			</Dialog>
			<p className="sr-only" role="status">
				{answer && plural(answer.total, 'redirect')}
			</p>
		</div>
	);
}

type Props = {
	/** The one that is changed. */
	redirect: RedirectRow | undefined;
	onSaved: (title: string, undo: string | null) => void;
};

/** Asks for a former address and where it leads. */
function RedirectForm({ redirect, onSaved }: Props) {
	const { busy, errors, failure, send } = useSubmit();
	const save = send(async (typed) => {
		const given = { ...typed, ...(redirect && { from: redirect.from }) };
		const { from, to, undo } = await callAsAdmin(saveRedirect, parse(saveRedirect.input, given));
		onSaved(`${from} leads to ${to}`, undo);
	});
	return (
		<form method="post" noValidate onSubmit={save} className="grid gap-4">
			{redirect ? (
				<p>
					<span className="label">Former address</span>
					<code className="block break-all">{redirect.from}</code>
				</p>
			) : (
				<Field
					label="Former address"
					name="from"
					required
					placeholder="/2023/04/old-address"
					hint="For a folder: /2023/*/:slug, where * stands for one part and :slug for another one. A * at the end stands for all below it."
					error={errors['from']}
				/>
			)}
			<Field
				label="Leads to"
				name="to"
				required
				defaultValue={redirect?.to}
				placeholder="/blog/new-address"
				hint="An address here or elsewhere. Names of the former one can be used again: /blog/:slug, and :splat for the * at its end."
				error={errors['to']}
			/>
			<FieldError>{failure || (redirect && errors['from'])}</FieldError>
			<Button type="submit" busy={busy}>
				{busy ? 'Saving…' : 'Save'}
			</Button>
		</form>
	);
}
