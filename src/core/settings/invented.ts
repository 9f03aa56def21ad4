import { getEnv } from '#src/lib/env.ts';
import { siteSettings } from '#src/site.ts';

/** Returns whether pages show invented figures (product.md section 1): where the server lets them, until the owner turns them off. */
export const showsInvented = (env = getEnv()): boolean =>
	env.INVENTED_PROOF && siteSettings().inventedProof === 'on';
