import type { Config } from '@netlify/functions';
import * as api from '#src/features/mail/mail.api.ts';
import { checkMailRecords } from '#src/features/mail/records.server.ts';
import { getEnv } from '#src/lib/env.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.checkRecords, () => checkMailRecords(getEnv())));

export const config: Config = { path: '/api/admin/mail-records' };
