import { and, asc, like } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { posts } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { isInState } from '#src/core/posts/post-state.server.ts';
import { listFeedback } from '#src/features/feedback/feedback.server.ts';
import { isReleased } from '#src/features/states/figures.ts';
import { listStates } from '#src/features/states/states.server.ts';
import { site } from '#src/site.ts';
import type { Due, OldFigures } from './due.ts';
import { listSilent } from './sources.server.ts';

/** Returns the work that is due, besides articles to be reviewed. */
export async function getDue(db: Db, now: Date): Promise<Due> {
	const [sources, states, feedback, programs] = await Promise.all([
		listSilent(db, now),
		listStates(db),
		listFeedback(db),
		db
			.select(tolerant({ id: posts.id, title: posts.title }))
			.from(posts)
			.where(and(isInState('published', now), like(posts.content, '%data-run%')))
			.orderBy(asc(posts.title)),
	]);
	const old = new Map<string, OldFigures>();
	for (const { name, slug, figures } of states) {
		for (const figure of figures.filter((one) => isReleased(one, now))) {
			const { source, asOf, link = null } = figure;
			const key = JSON.stringify([source, asOf]);
			const group = old.get(key) ?? { source, asOf, link, states: [] };
			if (group.states.at(-1)?.slug !== slug) group.states.push({ name, slug });
			old.set(key, group);
		}
	}
	return { sources, figures: [...old.values()], programs, feedback, asksReaders: site.asksReaders };
}
