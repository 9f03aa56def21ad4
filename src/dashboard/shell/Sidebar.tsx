import { useStore } from '@nanostores/react';
import { useRef, type MouseEvent } from 'react';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import {
	$address,
	openScreen,
	screenAddress,
	wantsAnother,
} from '#src/dashboard/kit/address.store.ts';
import { $siteName } from '#src/dashboard/kit/site-name.store.ts';
import { $decisions } from '#src/dashboard/kit/waiting.store.ts';
import { call } from '#src/lib/endpoint.ts';
import { countWaiting } from '#src/features/stats/stats.api.ts';
import { formatCount } from '#src/lib/text.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { GROUPS, isStoredPost, queryOf, SCREENS, titleOf, type Screen } from './screens.ts';

type Props = { siteName: string; open: Screen; onCommands: () => void; onLeave: () => void };

const MENU = 'M4 7h16M4 12h16M4 17h16';
const SEARCH = 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4';
const MARK = 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5M12 13.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z';

/** Screens that a phone keeps under the thumb, in the words that fit there. */
const DOCK: readonly [id: string, label: string][] = [
	['home', 'Home'],
	['posts', 'Posts'],
	['create', 'Write'],
	['comments', 'Comments'],
];

/**
 * The way through the admin: beside the screen, or behind a button where there is no room for both. A phone has that
 * button below the screen, between links to the screens that are used most.
 */
export function Sidebar({ siteName, open, onCommands, onLeave }: Props) {
	const { screen, queries } = useStore($address);
	const storedName = useStore($siteName);
	const nav = useRef<HTMLElement>(null);
	// Counted again with each screen that is opened, and each decision.
	const turn = `${open.id} ${useStore($decisions)}`;
	const { data: waiting, error, reload } = useAsync(turn, () => call(countWaiting, {}));

	/** Closes it where it lies over the screen. */
	function fold() {
		if (nav.current?.matches(':popover-open')) nav.current.hidePopover();
	}
	function go(event: MouseEvent, id: string) {
		if (wantsAnother(event)) return;
		event.preventDefault();
		fold();
		openScreen(id, queryOf(id, queries));
	}

	const countOf = (id: string) =>
		id === 'comments' || id === 'messages' ? (waiting?.[id] ?? 0) : 0;
	/** An article that is stored is of the list, not a new one. */
	const isOfPosts = open.id === 'create' && isStoredPost(queries);
	const current = isOfPosts ? 'posts' : open.id;
	/** Returns the attributes and the number of a link to a screen. */
	const linkTo = (id: string) => ({
		href: screenAddress(id, queryOf(id, queries)),
		'aria-current': screen && id === current ? (isOfPosts ? true : ('page' as const)) : undefined,
		'aria-description': countOf(id) > 0 ? `${formatCount(countOf(id))} waiting` : undefined,
		onClick: (event: MouseEvent) => go(event, id),
	});
	const badge = (id: string) =>
		countOf(id) > 0 && (
			<span className="room-count" aria-hidden="true">
				{formatCount(countOf(id))}
			</span>
		);
	return (
		<>
			<header className="room-bar">
				<button type="button" className="icon-button" popoverTarget="room-nav" aria-label="Menu">
					<Icon path={MENU} />
				</button>
				<span className="room-bar-title" aria-hidden="true">
					{screen && titleOf(open, queries)}
				</span>
				<button type="button" className="icon-button" aria-label="Commands" onClick={onCommands}>
					<Icon path={SEARCH} />
				</button>
			</header>
			<nav ref={nav} id="room-nav" popover="auto" aria-label="Admin" className="room-nav">
				<a href="/" className="room-site" title="View the site">
					<SiteMark /> {storedName || siteName}
				</a>
				<button
					type="button"
					className="room-find"
					aria-keyshortcuts="Control+K Meta+K"
					onClick={() => {
						fold();
						onCommands();
					}}
				>
					<Icon path={SEARCH} /> Commands <kbd>{shortcut('K')}</kbd>
				</button>
				{GROUPS.map((group) => (
					<div key={group}>
						<p className="label" id={`room-${group}`}>
							{group}
						</p>
						<ul aria-labelledby={`room-${group}`}>
							{SCREENS.filter(
								(screen) => screen.group === group && (!screen.isRare || screen === open),
							).map(({ id, label, icon }) => (
								<li key={id}>
									<a {...linkTo(id)}>
										<Icon path={icon} /> {label}
										{badge(id)}
									</a>
								</li>
							))}
						</ul>
					</div>
				))}
				<LoadError what="How much waits" error={error} reload={reload} />
				<button type="button" className="room-leave" onClick={onLeave}>
					<Icon path="M14 4h5v16h-5M4 12h11M11 8l4 4-4 4" /> Log out
				</button>
			</nav>
			<nav aria-label="Main screens" className="room-dock">
				{DOCK.map(([id, label]) => (
					<a key={id} {...linkTo(id)}>
						<Icon path={SCREENS.find((screen) => screen.id === id)!.icon} /> {label}
						{badge(id)}
					</a>
				))}
				<button type="button" popoverTarget="room-nav">
					<Icon path={MENU} /> Menu
				</button>
			</nav>
		</>
	);
}

/** Returns how the shortcut with Control or, on Apple's devices, Command is written. */
function shortcut(key: string): string {
	return /Mac|iPhone|iPad/.test(navigator.platform) ? `⌘${key}` : `Ctrl ${key}`;
}

/** The mark of a site without a logo of its own. */
export const SiteMark = () => <Icon path={MARK} />;

function Icon({ path }: { path: string }) {
	return (
		<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
			<path d={path} />
		</svg>
	);
}
