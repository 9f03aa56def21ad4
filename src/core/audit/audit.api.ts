import { endpoint } from '#src/lib/endpoint.ts';
import type { Paged } from '#src/lib/paging.ts';
import { auditQuery, type AuditEntry } from './audit.ts';

/** Who did what when, newest first. */
export const listAudit = endpoint<Paged<AuditEntry>>()({
	method: 'GET',
	path: '/api/admin/audit',
	input: auditQuery,
});
