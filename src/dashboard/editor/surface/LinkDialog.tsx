import type { Editor } from '@tiptap/core';
import { useId, useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { listAdminPosts } from '#src/features/posts/editing.api.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { paths } from '#src/site.ts';

/** Asks where the selected words lead: an address, or an article of this site by its title. */
export function LinkDialog({
	editor,
	open,
	onClose,
}: {
	editor: Editor;
	open: boolean;
	onClose: () => void;
}) {
	return (
		<Dialog open={open} onClose={onClose} title="Link" firstFocus="input">
			<LinkForm editor={editor} onClose={onClose} />
		</Dialog>
	);
}

function LinkForm({ editor, onClose }: { editor: Editor; onClose: () => void }) {
	const current = String(editor.getAttributes('link')['href'] ?? '');
	const [href, setHref] = useState(current);
	const [error, setError] = useState<string>();
	const id = useId();

	const q = href.trim();
	const isSearch = q.length >= 3 && !/^(https?:|mailto:|\/|#)/.test(q);
	const found = useAsync(
		isSearch ? q : null,
		() => callAsAdmin(listAdminPosts, { q, state: 'published', pageSize: 6 }),
		250,
	);
	const posts = (isSearch && !found.error && found.data?.rows) || [];

	function apply(address: string) {
		const chain = editor.chain().focus().extendMarkRange('link');
		if (address === '') chain.unsetLink().run();
		else if (editor.state.selection.empty && !current)
			chain
				.insertContent({
					type: 'text',
					text: address,
					marks: [{ type: 'link', attrs: { href: address } }],
				})
				.run();
		else chain.setLink({ href: address }).run();
		onClose();
	}

	function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		const address = addressOf(href);
		if (address === null) setError('Type an address, or words of an article’s title.');
		else apply(address);
	}

	return (
		<form method="post" onSubmit={send} className="grid gap-4">
			<Field
				label="Address or title of an article"
				value={href}
				error={error}
				autoComplete="off"
				aria-controls={posts.length > 0 ? id : undefined}
				onChange={(event) => {
					setHref(event.currentTarget.value);
					setError(undefined);
				}}
			/>
			{isSearch && <LoadError what="Articles" error={found.error} reload={found.reload} />}
			{posts.length > 0 && (
				<ul id={id} className="link-posts" aria-label="Articles">
					{posts.map((post) => (
						<li key={post.id}>
							<button type="button" onClick={() => apply(paths.post(post.slug))}>
								<span>{post.title}</span>
								<span className="label">{paths.post(post.slug)}</span>
							</button>
						</li>
					))}
				</ul>
			)}
			<div className="flex flex-wrap gap-3">
				<Button type="submit">Set link</Button>
				{current && (
					<Button variant="quiet" onClick={() => apply('')}>
						Take the link off
					</Button>
				)}
			</div>
		</form>
	);
}

/** An address as a link has it, the empty one for none, null for something else. */
function addressOf(typed: string): string | null {
	const text = typed.trim();
	if (text === '' || /^(https?:\/\/\S+|mailto:\S+|\/(?!\/)\S*|#\S+)$/.test(text)) return text;
	if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return `mailto:${text}`;
	if (/^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(text)) return `https://${text}`;
	return null;
}
