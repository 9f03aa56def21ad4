import type { Config } from '@netlify/functions';
import { accountRoutes } from './admin/account.ts';
import { auditRoutes } from './admin/audit.ts';
import { buildsRoutes } from './admin/builds.ts';
import { commentsRoutes } from './admin/comments.ts';
import { importExportRoutes } from './admin/import-export.ts';
import { lettersRoutes } from './admin/letters.ts';
import { mailRoutes } from './admin/mail.ts';
import { mediaRoutes } from './admin/media.ts';
import { messagesRoutes } from './admin/messages.ts';
import { networksRoutes } from './admin/networks.ts';
import { overviewRoutes } from './admin/overview.ts';
import { pagesRoutes } from './admin/pages.ts';
import { postsRoutes } from './admin/posts.ts';
import { programsRoutes } from './admin/programs.ts';
import { redirectsRoutes } from './admin/redirects.ts';
import { siteRoutes } from './admin/site.ts';
import { statesRoutes } from './admin/states.ts';
import { subscribersRoutes } from './admin/subscribers.ts';
import { taxonomyRoutes } from './admin/taxonomy.ts';
import { serveAdmin } from './lib/session.ts';

/** Calls that take a session. Every other address below `/api/admin` answers 404, or 401 without one. */
export const routes = [
	...accountRoutes,
	...auditRoutes,
	...buildsRoutes,
	...commentsRoutes,
	...importExportRoutes,
	...lettersRoutes,
	...mailRoutes,
	...mediaRoutes,
	...messagesRoutes,
	...networksRoutes,
	...overviewRoutes,
	...pagesRoutes,
	...postsRoutes,
	...programsRoutes,
	...redirectsRoutes,
	...siteRoutes,
	...statesRoutes,
	...subscribersRoutes,
	...taxonomyRoutes,
];

export default serveAdmin(routes);

export const config: Config = { path: ['/api/admin', '/api/admin/*'] };
