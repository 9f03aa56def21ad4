import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Tabs } from '#src/components/ui/Tabs.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { messageOf } from '#src/lib/errors.ts';
import { $address, openTab, readAddress } from '#src/dashboard/kit/address.store.ts';
import { Loaded } from '#src/dashboard/kit/Loaded.tsx';
import { signOut } from '#src/core/session/session.store.ts';
import { TABS, type DashboardTab } from './tabs.ts';
import { Visit } from '#src/dashboard/kit/useAnswer.ts';

/** The admin area: tabs, the open one of which is in the address. */
export function Dashboard() {
	const { tab } = useStore($address);
	const open = TABS.find(({ id }) => id === tab) ?? TABS[0];
	/** The tab that was open last, and how often each was opened. */
	const [seen, setSeen] = useState<{ last: string; visits: Record<string, number> }>({
		last: '',
		visits: {},
	});
	if (tab && seen.last !== open.id)
		setSeen({
			last: open.id,
			visits: { ...seen.visits, [open.id]: (seen.visits[open.id] ?? 0) + 1 },
		});

	useEffect(() => {
		const ids = TABS.map(({ id }) => id);
		const read = () => readAddress(location.search, ids);
		read();
		addEventListener('popstate', read);
		return () => removeEventListener('popstate', read);
	}, []);
	useEffect(() => {
		document.title = document.title.replace(/^(.* – )?(?=Admin)/, `${open.label} – `);
		// A modal dialog that nobody sees would keep the whole page from being used.
		for (const dialog of document.querySelectorAll<HTMLDialogElement>('[hidden] dialog[open]'))
			dialog.close();
	}, [open]);

	async function leave() {
		try {
			await signOut();
			toast({ title: 'Logged out successfully' });
		} catch (error) {
			toast({ title: 'Logout failed', description: messageOf(error), destructive: true });
		}
	}

	const [first, ...rest] = TABS;
	const shown = (shownTab: DashboardTab) => ({
		id: shownTab.id,
		label: shownTab.label,
		// A tab that was opened once keeps what is in it.
		content: seen.visits[shownTab.id] && (
			<Visit value={seen.visits[shownTab.id]!}>
				<Loaded label={shownTab.label} load={shownTab.load} />
			</Visit>
		),
	});
	return (
		<div className="desk">
			<Button variant="quiet" className="desk-leave" onClick={() => void leave()}>
				Log out
			</Button>
			<Tabs
				label="Admin"
				selected={open.id}
				onSelect={(id) => openTab(id)}
				tabs={[shown(first), ...rest.map(shown)]}
			/>
		</div>
	);
}
