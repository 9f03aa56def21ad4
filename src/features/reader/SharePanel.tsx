import { useRef, useState, useSyncExternalStore, type ToggleEvent } from 'react';
import { plural } from '#src/lib/text.ts';
import { CITE_FORMATS, shareTargets, type SharedPost } from '#src/features/share/share.ts';
import {
	copyCitation,
	copyLink,
	openShareWindow,
	shareNatively,
} from '#src/features/share/share.store.ts';

/** Share targets as plain links, copying, citations and the native share sheet, and how often the article was shared. */
export function SharePanel({ shares, ...post }: SharedPost & { shares: number }) {
	return (
		<section id="share" aria-labelledby="share-title">
			<h2 id="share-title" className="label tracking-normal!">
				Share this article
			</h2>
			{shares > 0 && <p className="label mt-1">{plural(shares, 'share')}</p>}
			<Targets {...post} />
		</section>
	);
}

/** A button that opens the native share sheet, or else a menu of the share targets. Without JavaScript a link to the panel. */
export function ShareButton(post: SharedPost) {
	const { url, title } = post;
	const sharing = useSharing();
	const [listed, setListed] = useState(false);
	const button = useRef<HTMLButtonElement>(null);

	function place({ newState, currentTarget: menu }: ToggleEvent<HTMLElement>) {
		if (newState !== 'open') return;
		const { left, bottom } = button.current!.getBoundingClientRect();
		const room = document.documentElement.clientWidth - menu.offsetWidth - 16;
		menu.style.left = `${scrollX + Math.max(16, Math.min(left, room))}px`;
		menu.style.top = `${scrollY + bottom + 8}px`;
		menu.querySelector('a')!.focus({ preventScroll: true });
	}

	return (
		<>
			<button
				ref={button}
				type="button"
				className="button button-quiet js-only"
				popoverTarget="share-menu"
				data-native=""
				onClick={() => {
					if (sharing === 'sheet') void shareNatively(post.id, { url, title });
				}}
			>
				Share
			</button>
			<noscript>
				<a className="button button-quiet" href="#share">
					Share
				</a>
			</noscript>
			{sharing === 'menu' && (
				<div
					id="share-menu"
					className="share-menu"
					popover="auto"
					role="group"
					aria-label="Share this article"
					onBeforeToggle={() => setListed(true)}
					onToggle={place}
					onClick={({ target, currentTarget }) => {
						if ((target as Element).closest('a, button')) currentTarget.hidePopover();
					}}
				>
					{listed && <Targets {...post} />}
				</div>
			)}
		</>
	);
}

function Targets(post: SharedPost) {
	const { url, title } = post;
	const sharing = useSharing();
	return (
		<ul className="mt-3 flex flex-wrap gap-2">
			{shareTargets(post).map(({ name, href }) => (
				<li key={name}>
					<a
						className="button button-quiet"
						href={href}
						target="_blank"
						rel="noopener"
						aria-label={`Share on ${name}`}
						onClick={({ nativeEvent, currentTarget }) =>
							openShareWindow(post.id, nativeEvent, currentTarget)
						}
					>
						{name}
					</a>
				</li>
			))}
			<li className="js-only">
				<button
					type="button"
					className="button button-quiet"
					data-copy=""
					onClick={() => void copyLink(post.id, url)}
				>
					Copy link
				</button>
			</li>
			{CITE_FORMATS.map(([format, label]) => (
				<li key={format} className="js-only">
					<button
						type="button"
						className="button button-quiet"
						onClick={() => void copyCitation(format)}
					>
						{label}
					</button>
				</li>
			))}
			<li hidden={sharing !== 'sheet'} suppressHydrationWarning>
				<button
					type="button"
					className="button button-quiet"
					data-native=""
					onClick={() => void shareNatively(post.id, { url, title })}
				>
					Share with…
				</button>
			</li>
		</ul>
	);
}

/** Returns how this browser shares; null while an island hydrates, as in the prerendered page. */
function useSharing(): 'sheet' | 'menu' | null {
	return useSyncExternalStore(
		() => () => {},
		() => ('share' in navigator ? 'sheet' : 'menu'),
		() => null,
	);
}
