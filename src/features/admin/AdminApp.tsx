import { useEffect, useState, type SubmitEvent } from 'react';
import { call } from '#src/lib/endpoint.ts';
import { longDate } from '#src/lib/dates.ts';
import { messageOf } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { getStatus, listAllPosts, login, logout, type AdminPost } from './admin.api.ts';

type State = { status: 'loading' | 'out' | 'in' } | { status: 'failed'; message: string };

/** The admin area: sign in, see all posts, sign out. */
export function AdminApp() {
	const [state, setState] = useState<State>({ status: 'loading' });
	const [notice, setNotice] = useState('');

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
			setNotice('Logged out successfully');
		} catch {
			setNotice('Logout failed');
		}
	}

	return (
		<>
			<p role="status" className="mb-6 text-accent empty:hidden">
				{notice}
			</p>
			{state.status === 'loading' && (
				<div className="skeleton max-w-md" role="status" aria-label="Loading" />
			)}
			{state.status === 'failed' && (
				<div>
					<p role="alert" className="field-error">
						{state.message}
					</p>
					<button type="button" className="button mt-4" onClick={() => void check()}>
						Try again
					</button>
				</div>
			)}
			{state.status === 'out' && (
				<LoginForm
					onLogin={() => {
						setState({ status: 'in' });
						setNotice('Login successful');
					}}
				/>
			)}
			{state.status === 'in' && (
				<>
					<button type="button" className="button button-quiet" onClick={() => void leave()}>
						Log out
					</button>
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
			setError(messageOf(problem));
		} finally {
			setSending(false);
		}
	}

	return (
		<form method="post" onSubmit={send} className="frame grid max-w-md gap-4 p-6">
			<div className="field">
				<label htmlFor="email">Email</label>
				<input id="email" name="email" type="email" required autoComplete="username" />
			</div>
			<div className="field">
				<label htmlFor="password">Password</label>
				<input
					id="password"
					name="password"
					type="password"
					required
					autoComplete="current-password"
				/>
			</div>
			<button className="button" aria-disabled={sending}>
				{sending ? 'Signing in…' : 'Sign in'}
			</button>
			{error && (
				<p role="alert" className="field-error">
					<strong>Login failed: </strong>
					{error}
				</p>
			)}
		</form>
	);
}

function PostList({ onSignedOut }: { onSignedOut: () => void }) {
	const [posts, setPosts] = useState<AdminPost[]>();
	const [error, setError] = useState('');

	useEffect(() => {
		call(listAllPosts, {}).then(setPosts, (problem: unknown) => {
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
	if (!posts) return <div className="skeleton mt-8" role="status" aria-label="Loading posts" />;
	return (
		<section className="mt-10">
			<h2>{plural(posts.length, 'post')}</h2>
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
						{posts.map((post) => (
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
								<td className="py-2 pr-4 text-muted">{post.category}</td>
								<td className="py-2 pr-4">{post.published ? 'Published' : 'Draft'}</td>
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
