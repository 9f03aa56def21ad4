import { endpoint } from '#src/lib/endpoint.ts';
import type { Paged } from '#src/lib/paging.ts';
import { auditQuery, type AuditEntry } from './audit.ts';

/** The audit log, newest first. */
export const listAudit = endpoint<Paged<AuditEntry>>()('GET /api/admin/audit', auditQuery);
