import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Tabs } from '#src/components/ui/Tabs.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { messageOf } from '#src/lib/errors.ts';
import { address, openTab, readAddress } from './address.store.ts';
import { Loaded } from './Loaded.tsx';
import { signOut } from './session.store.ts';
import { TABS, type DeskTab } from './tabs.ts';

/** What the admin works at: its tabs, of which the address names the open one. */
export function Desk() {
	const { tab } = useStore(address);
	const open = TABS.find(({ id }) => id === tab) ?? TABS[0];
	const [opened, setOpened] = useState<readonly string[]>([]);
	// A tab that was opened once keeps what is in it.
	if (tab && !opened.includes(open.id)) setOpened([...opened, open.id]);

	useEffect(() => {
		const ids = TABS.map(({ id }) => id);
		const read = () => readAddress(location.search, ids);
		read();
		addEventListener('popstate', read);
		return () => removeEventListener('popstate', read);
	}, []);
	useEffect(() => {
		document.title = document.title.replace(/^(.* – )?(?=Admin)/, `${open.label} – `);
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
	const shown = (one: DeskTab) => ({
		id: one.id,
		label: one.label,
		content: opened.includes(one.id) && <Loaded label={one.label} load={one.load} />,
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
