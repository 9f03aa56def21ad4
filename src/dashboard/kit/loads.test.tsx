// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Message } from '#src/features/contact/messages.ts';
import { AuthorField } from '#src/dashboard/editor/publishing/Details.tsx';
import { FeaturedImage } from '#src/dashboard/editor/publishing/FeaturedImage.tsx';
import { RelatedField } from '#src/dashboard/editor/publishing/RelatedField.tsx';
import { TagField } from '#src/dashboard/editor/publishing/Details.tsx';
import { ReplyForm } from '#src/dashboard/messages/ReplyForm.tsx';
import { PostsScreen } from '#src/dashboard/posts/PostsScreen.tsx';
import { SubscribersScreen } from '#src/dashboard/subscribers/SubscribersScreen.tsx';
import { ArticlesField } from '#src/dashboard/terms/ArticlesField.tsx';
import { PostFigures } from '#src/dashboard/visits/PostFigures.tsx';
import { emptyForm } from '#src/features/posts/editing.ts';
import { KeptNote } from './KeptNote.tsx';

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const nothing = () => undefined;
const message = { id: 'm1', name: 'Ada', email: 'ada@example.com' } as Message;
const image = { ...emptyForm, featuredImage: '/api/media/abc' };

test.each<[missing: string, part: ReactElement, label?: string]>([
	['Whether emails leave this machine', <KeptNote />],
	[
		'Whether emails leave this machine',
		<ReplyForm message={message} busy={false} send={nothing as never} />,
	],
	[
		'Articles',
		<RelatedField value="" own="" error={undefined} onChange={nothing} />,
		'Related articles',
	],
	[
		'Titles of the articles',
		<RelatedField value="pid" own="" error={undefined} onChange={nothing} />,
	],
	['Tags in use', <TagField tags={[]} onChange={nothing} />, 'Tags'],
	['Authors', <AuthorField value="" error={undefined} onChange={nothing} />, 'Author'],
	['The image’s description', <FeaturedImage form={image} error={undefined} onEdit={nothing} />],
	[
		'Articles',
		<ArticlesField articles={[]} error={undefined} onChange={nothing} />,
		'Add an article',
	],
	['How it was read', <PostFigures slug="pid" />],
	['Categories', <PostsScreen />],
	['How articles were read', <PostsScreen />],
	['Counts and sources', <SubscribersScreen />],
	['Topics', <SubscribersScreen />],
])('“%s could not be loaded”, and asking again', async (missing, part, label) => {
	const fetched = vi.fn(async () =>
		Response.json({ error: { code: 'unavailable', message: 'Busy.' } }, { status: 503 }),
	);
	vi.stubGlobal('fetch', fetched);
	render(part);
	if (label) await userEvent.type(screen.getByLabelText(label), 'pid');
	const alert = await vi.waitFor(() => {
		const found = screen
			.getAllByRole('alert', { hidden: true })
			.find(({ textContent }) => textContent.startsWith(`${missing} could not be loaded: Busy.`));
		expect(found).toBeDefined();
		return found!;
	});
	const before = fetched.mock.calls.length;
	await userEvent.click(alert.querySelector('button')!);
	await vi.waitFor(() => expect(fetched.mock.calls.length).toBe(before + 1));
});
