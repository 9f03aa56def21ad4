import { useEffect, useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { call } from '#src/lib/endpoint.ts';
import { longDate } from '#src/lib/dates.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { listAdminPosts, type AdminPosts } from '#src/features/posts/editing.api.ts';
import { getStatus, login, logout } from './admin.api.ts';

type State = { status: 'loading' | 'out' | 'in' } | { status: 'failed'; message: string };

/** The admin area: sign in, see all posts, sign out. */
export const AdminApp = island(Admin, 'page');

function Admin() {
	const [state, setState] = useState<State>({ status: 'loading' });

	async function check() {
		setState({ status: 'loading' });
		try {
			const { isAuthenticated } = await call(getStatus, {});
			setState({ status: isAuthenticated ? 'in' : 'out' });
		} catch (error) {
			setState({ status: 'failed', message: messageOf(error) });
		}
	}
	useEffect(() => void check(), []);

	async function leave() {
		try {
			await call(logout, {});
			setState({ status: 'out' });
			toast({ title: 'Logged out successfully' });
		} catch (error) {
			toast({ title: 'Logout failed', description: messageOf(error), destructive: true });
		}
	}

	return (
		<>
			{state.status === 'loading' && <Skeleton label="Loading" rows={3} />}
			{state.status === 'failed' && (
				<div>
					<p role="alert" className="field-error">
						{state.message}
					</p>
					<Button className="mt-4" onClick={() => void check()}>
						Try again
					</Button>
				</div>
			)}
			{state.status === 'out' && (
				<LoginForm
					onLogin={() => {
						setState({ status: 'in' });
						toast({ title: 'Login successful' });
					}}
				/>
			)}
			{state.status === 'in' && (
				<>
					<Button variant="quiet" onClick={() => void leave()}>
						Log out
					</Button>
					<PostList onSignedOut={() => setState({ status: 'out' })} />
				</>
			)}
		</>
	);
}

function LoginForm({ onLogin }: { onLogin: () => void }) {
	const [sending, setSending] = useState(false);
	const [error, setError] = useState('');

	async function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (sending) return;
		const { email = '', password = '' } = Object.fromEntries(
			new FormData(event.currentTarget),
		) as Record<string, string>;
		setSending(true);
		setError('');
		try {
			await call(login, { email, password });
			onLogin();
		} catch (problem) {
			const description = problem instanceof AppError ? messageOf(problem) : 'Invalid credentials';
			setError(description);
			toast({ title: 'Login failed', description, destructive: true });
		} finally {
			setSending(false);
		}
	}

	return (
		<form method="post" onSubmit={send} className="frame grid max-w-md gap-4 p-6">
			<Field label="Email" name="email" type="email" required autoComplete="username" />
			<Field
				label="Password"
				name="password"
				type="password"
				required
				autoComplete="current-password"
			/>
			<Button type="submit" busy={sending}>
				{sending ? 'Signing in…' : 'Sign in'}
			</Button>
			{error && (
				<p role="alert" className="field-error">
					{error}
				</p>
			)}
		</form>
	);
}

function PostList({ onSignedOut }: { onSignedOut: () => void }) {
	const [list, setList] = useState<AdminPosts>();
	const [error, setError] = useState('');

	useEffect(() => {
		call(listAdminPosts, {}).then(setList, (problem: unknown) => {
			if (problem instanceof Error && 'code' in problem && problem.code === 'unauthorized')
				onSignedOut();
			else setError(messageOf(problem));
		});
	}, []);

	if (error)
		return (
			<p role="alert" className="field-error mt-8">
				{error}
			</p>
		);
	if (!list)
		return (
			<div className="mt-8">
				<Skeleton label="Loading posts" rows={5} />
			</div>
		);
	return (
		<section className="mt-10">
			<h2>{plural(list.total, 'post')}</h2>
			<div className="mt-4 overflow-x-auto" tabIndex={0} role="group" aria-label="All posts">
				<table className="w-full min-w-160 text-left">
					<thead className="label">
						<tr>
							<th className="py-2 pr-4">Title</th>
							<th className="py-2 pr-4">Category</th>
							<th className="py-2 pr-4">State</th>
							<th className="py-2">Published</th>
						</tr>
					</thead>
					<tbody>
						{list.posts.map((post) => (
							<tr key={post.id} className="border-t border-line">
								<td className="py-2 pr-4">
									{post.published ? (
										<a className="link" href={paths.post(post.slug)}>
											{post.title}
										</a>
									) : (
										post.title
									)}
								</td>
								<td className="py-2 pr-4 text-muted">{post.category.name}</td>
								<td className="py-2 pr-4">{post.state}</td>
								<td className="label py-2">
									{post.publishedAt ? longDate(post.publishedAt) : '—'}
								</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</section>
	);
}
