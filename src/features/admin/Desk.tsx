import { useStore } from '@nanostores/react';
import { useEffect, useState, type ComponentType } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { ErrorBoundary, SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { Tabs } from '#src/components/ui/Tabs.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { messageOf } from '#src/lib/errors.ts';
import { address, openTab, readAddress } from './address.store.ts';
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
		content: opened.includes(one.id) && <TabContent tab={one} />,
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

function TabContent({ tab }: { tab: DeskTab }) {
	const [View, setView] = useState<ComponentType>();
	const [failed, setFailed] = useState(false);

	function load() {
		setFailed(false);
		tab.load().then(
			(loaded) => setView(() => loaded),
			() => setFailed(true),
		);
	}
	useEffect(load, [tab]);

	if (failed) {
		return (
			<SectionError
				message="This tab could not be loaded. Check your connection and try again."
				onRetry={load}
			/>
		);
	}
	if (!View) return <Skeleton label={`Loading ${tab.label.toLowerCase()}`} rows={5} />;
	return (
		<ErrorBoundary>
			<View />
		</ErrorBoundary>
	);
}
