import type { APIRoute } from 'astro';
import { getSite, staticPath } from '#src/features/site/site-data.server.ts';
import type { State } from '#src/features/states/state.ts';
import { stateMarkdown } from '#src/features/states/state-markdown.ts';
import { getEnv } from '#src/lib/env.ts';

export async function getStaticPaths() {
	const { states } = await getSite();
	return states.map((state) => staticPath({ state: state.slug }, { state }));
}

/** A state's guide as Markdown. */
export const GET: APIRoute<{ state: State }> = ({ props }) =>
	new Response(stateMarkdown(props.state, getEnv().SITE_URL));
