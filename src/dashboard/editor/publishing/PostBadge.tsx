import type { PostState } from '#src/core/posts/post-state.ts';

export const STATE_LABELS: Record<PostState, string> = {
	draft: 'Draft',
	scheduled: 'Scheduled',
	published: 'Published',
	unpublished: 'Unpublished',
	deleted: 'Deleted',
};
const BADGES: Record<PostState, string> = {
	draft: 'badge-off',
	scheduled: 'badge-wait',
	published: 'badge-on',
	unpublished: 'badge-off',
	deleted: 'badge-off',
};

export function PostBadge({ state }: { state: PostState }) {
	return <span className={`badge ${BADGES[state]}`}>{STATE_LABELS[state]}</span>;
}
