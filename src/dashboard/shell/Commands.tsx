import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { chooseTheme, THEMES } from '#src/components/ui/theme.ts';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { keysHere } from '#src/dashboard/editor/keys.ts';
import { $offered, setView } from '#src/dashboard/editor/view.store.ts';
import { $address, openScreen } from '#src/dashboard/kit/address.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { listAdminPosts } from '#src/features/posts/editing.api.ts';
import { $places } from '#src/dashboard/kit/places.store.ts';
import { hasWords } from '#src/dashboard/kit/has-words.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { $savedViews, viewsOf } from '#src/dashboard/kit/views.store.ts';
import { queryOf, SCREENS } from './screens.ts';

type Command = {
	id: string;
	label: string;
	/** Other words by which it is found. */
	words?: string | undefined;
	/** Shown at its end: what it is, or its shortcut. */
	hint?: string | undefined;
	run: () => void;
};
type Props = { open: boolean; onClose: () => void; onLeave: () => void };

// Their labels and rules are loaded with the first search.
$places.set(() => import('./places.ts'));

const SEARCH_MS = 150;
const POSTS = 8;

/** The palette: every screen, every action, and every post by its title. */
export function Commands({ open, onClose, onLeave }: Props) {
	return (
		<Dialog open={open} onClose={onClose} title="Commands" firstFocus="input">
			<Palette onClose={onClose} onLeave={onLeave} />
		</Dialog>
	);
}

function Palette({ onClose, onLeave }: Omit<Props, 'open'>) {
	const id = useId();
	const [q, setQ] = useState('');
	const [chosen, setChosen] = useState(0);
	const list = useRef<HTMLDivElement>(null);
	const wanted = q.trim();
	const posts = useAsync(
		wanted,
		() => callAsAdmin(listAdminPosts, { q: wanted, pageSize: POSTS }),
		SEARCH_MS,
	);

	const places = useAsync('places', async () => {
		const { settings } = await $places.get()();
		return settings.map(({ screen, query, ...place }) => ({
			...place,
			run: () => openScreen(screen, query),
		}));
	});

	const found = (posts.data?.rows ?? []).map((post) => ({
		id: post.id,
		label: post.title || 'Untitled',
		hint: post.state,
		run: () => openScreen('create', { post: post.id }),
	}));
	const groups: [name: string, commands: Command[]][] = [
		['Screens', matching(wanted, screens)],
		['Actions', matching(wanted, actions(onLeave))],
		// Too many to be offered to who looks for nothing.
		['Settings', wanted ? matching(wanted, places.data ?? []) : []],
		[
			wanted ? 'Posts' : 'Last changed posts',
			// Leaves out posts that were found for other words, which Enter would open.
			posts.loading ? matching(wanted, found) : found,
		],
	];
	const shown = groups.flatMap(([, commands]) => commands);
	const current = Math.min(chosen, shown.length - 1);

	useEffect(() => {
		list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
	}, [current, shown.length]);

	function run(command: Command | undefined) {
		if (!command) return;
		onClose();
		command.run();
	}
	function move(event: KeyboardEvent) {
		// Keys of an input method choose nothing.
		if (event.nativeEvent.isComposing) return;
		const count = shown.length;
		const next: Record<string, number> = {
			ArrowDown: (current + 1) % count,
			ArrowUp: (current - 1 + count) % count,
			PageUp: 0,
			PageDown: count - 1,
		};
		if (event.key === 'Enter') run(shown[current]);
		else if (event.key in next && count > 0) setChosen(next[event.key]!);
		else return;
		event.preventDefault();
	}

	return (
		<div className="palette">
			<div className="field">
				<input
					type="text"
					role="combobox"
					aria-label="Search screens, actions and posts"
					aria-expanded="true"
					aria-controls={`${id}-list`}
					aria-activedescendant={shown[current] && `${id}-${current}`}
					aria-autocomplete="list"
					autoComplete="off"
					spellCheck={false}
					placeholder="Search screens, actions and posts"
					value={q}
					onChange={(event) => {
						setQ(event.currentTarget.value);
						setChosen(0);
					}}
					onKeyDown={move}
				/>
			</div>
			<div
				ref={list}
				id={`${id}-list`}
				role="listbox"
				aria-label="Commands"
				aria-busy={posts.loading}
				tabIndex={-1}
			>
				{groups.map(
					([name, commands]) =>
						commands.length > 0 && (
							<div key={name} role="group" aria-label={name}>
								<p className="label" aria-hidden="true">
									{name}
								</p>
								{commands.map((command) => {
									const index = shown.indexOf(command);
									return (
										<div
											key={command.id}
											id={`${id}-${index}`}
											role="option"
											aria-selected={index === current}
											onPointerMove={() => setChosen(index)}
											onClick={() => run(command)}
										>
											<span>{command.label}</span>
											{command.hint && <span className="label">{command.hint}</span>}
										</div>
									);
								})}
							</div>
						),
				)}
			</div>
			<p role="status" className="palette-note">
				{posts.error === undefined && shown.length === 0 && !posts.loading
					? 'Nothing has these words.'
					: ''}
			</p>
			<LoadError what="Posts" error={posts.error} reload={posts.reload} />
			<p className="palette-note" aria-hidden="true">
				↑ ↓ to choose, Enter to open, Esc to close
			</p>
		</div>
	);
}

const screens: Command[] = SCREENS.map(({ id, label, words, group }) => ({
	id,
	label,
	words,
	hint: group,
	run: () => openScreen(id, queryOf(id, $address.get().queries)),
}));

function actions(leave: () => void): Command[] {
	return [
		{
			id: 'new',
			label: 'New article',
			words: 'create write post',
			run: () => openScreen('create', {}),
		},
		{
			id: 'drafts',
			label: 'Show drafts',
			words: 'posts unpublished',
			run: () => openScreen('posts', { state: 'draft' }),
		},
		{
			id: 'scheduled',
			label: 'Show scheduled posts',
			words: 'later planned',
			run: () => openScreen('posts', { state: 'scheduled' }),
		},
		{
			id: 'deleted',
			label: 'Show deleted posts',
			words: 'trash restore undo',
			run: () => openScreen('posts', { state: 'deleted' }),
		},
		{
			id: 'words',
			label: 'Edit on the page',
			words: 'words of the site sentences texts copy pencil',
			run: () => openScreen('site', { part: 'On the page' }),
		},
		{
			id: 'letter',
			label: 'Write a letter',
			words: 'newsletter mail send email',
			run: () => openScreen('newsletter', { part: 'letters' }),
		},
		...SCREENS.flatMap(({ id, label: screen }) =>
			viewsOf(id, $savedViews.get()).map(({ name, query }) => ({
				id: `view ${id} ${name}`,
				label: name,
				words: `view filter ${screen}`,
				hint: screen,
				run: () => openScreen(id, query),
			})),
		),
		...['Tags', 'Series', 'Authors'].map((label) => ({
			id: label,
			label,
			words: 'manage create rename',
			run: () => openScreen('categories', { kind: label.toLowerCase() }),
		})),
		{
			id: 'waiting',
			label: 'Show comments that wait',
			words: 'held moderation',
			run: () => openScreen('comments', { state: 'waiting' }),
		},
		{
			id: 'site',
			label: 'View the site',
			words: 'home open',
			run: () => location.assign('/'),
		},
		...($address.get().screen === 'create' ? writing() : []),
		...THEMES.map((theme) => ({
			id: theme,
			label: `Color theme: ${theme}`,
			words: 'appearance dark light mode',
			run: () => chooseTheme(theme),
		})),
		{ id: 'leave', label: 'Log out', words: 'sign out', run: leave },
	];
}

/** Returns the editor's actions with their shortcuts. */
const writing = (): Command[] => [
	...VIEWS,
	...$offered
		.get()()
		.map(({ label, keys, run }) => ({
			id: `writing ${label}`,
			label,
			words: 'post article',
			hint: keys && keysHere(keys),
			run,
		})),
];

const VIEWS: Command[] = [
	{
		id: 'preview',
		label: 'Preview beside the text',
		words: 'page live',
		hint: keysHere('Ctrl+Shift+P'),
		run: () => setView('preview'),
	},
	{
		id: 'focus',
		label: 'Focus mode',
		words: 'full width distraction',
		hint: keysHere('Ctrl+Shift+F'),
		run: () => setView('focus'),
	},
];

/** Returns the commands that have the words of a query, those first whose label has them all. */
function matching(q: string, commands: Command[]): Command[] {
	const found = commands.filter(({ label, words = '' }) => hasWords(`${label} ${words}`, q));
	return found.toSorted((a, b) => Number(hasWords(b.label, q)) - Number(hasWords(a.label, q)));
}
