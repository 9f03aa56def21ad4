import * as z from 'zod/mini';
import { linkToken, type Screen } from '#src/core/screen.ts';
import { endpoint } from '#src/lib/endpoint.ts';

/** The page behind a link whose reader is to confirm something. Changes nothing. */
export const showConfirmation = endpoint<Screen>()('GET /confirm', z.object({ token: linkToken }));

/** Confirms it. */
export const confirm = endpoint<Screen>()('POST /confirm', z.object({ token: linkToken }));
