import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { listEnrollments } from '#src/features/course/course.server.ts';
import * as api from '#src/features/mail/mail.api.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.listEnrollments, () => listEnrollments(getDb(), new Date())));

export const config: Config = { path: '/api/admin/enrollments' };
