import type { APIRoute } from 'astro';
import { buildDb, pathOf } from '#src/features/site/site-data.server.ts';
import type { State } from '#src/features/states/state.ts';
import { listStates } from '#src/features/states/states.server.ts';
import { stateTwin } from '#src/features/states/twin.ts';
import { getEnv } from '#src/lib/env.ts';

export async function getStaticPaths() {
	const states = await listStates(await buildDb());
	return states.map((state) => pathOf({ state: state.slug }, { state }));
}

/** A state's guide for programs that read Markdown. */
export const GET: APIRoute<{ state: State }> = ({ props }) =>
	new Response(stateTwin(props.state, getEnv().SITE_URL));
