import type { Config } from '@netlify/functions';
import { serveAdmin } from './lib/session.ts';

/** Catches every other admin address: 404, or 401 without a session. */
export default serveAdmin();

export const config: Config = {
	path: '/api/admin/*',
	excludedPath: [
		'/api/admin/status',
		'/api/admin/login',
		'/api/admin/logout',
		'/api/admin/posts',
		'/api/admin/posts/:id',
		'/api/admin/posts/:id/restore',
		'/api/admin/posts/:id/draft',
		'/api/admin/posts/:id/revisions',
		'/api/admin/posts/:id/revisions/:revision',
		'/api/admin/posts/:id/revisions/:revision/restore',
		'/api/admin/posts/:id/preview',
		'/api/admin/tags',
		'/api/admin/media',
		'/api/admin/media/:id',
		'/api/admin/builds',
		'/api/admin/comments',
		'/api/admin/comments/delete',
		'/api/admin/comments/restore',
		'/api/admin/sessions',
		'/api/admin/sessions/:id',
		'/api/admin/password',
		'/api/admin/settings',
		'/api/admin/facts',
		'/api/admin/audit',
		'/api/admin/subscribers',
		'/api/admin/subscribers/counts',
		'/api/admin/subscribers/export',
		'/api/admin/subscribers/import',
		'/api/admin/numbers',
		'/api/admin/media-uses',
		'/api/admin/export',
		'/api/admin/import',
		'/api/admin/imports/:id',
		'/api/admin/mail',
		'/api/admin/mail/:id',
		'/api/admin/digest',
		'/api/admin/enrollments',
	],
};
