import type { APIRoute } from 'astro';
import { describeApi } from '#src/features/openapi/openapi.ts';
import { operations } from '#src/features/openapi/operations.ts';
import { getEnv } from '#src/lib/env.ts';

/** The public API as an OpenAPI document. */
export const GET: APIRoute = () => Response.json(describeApi(operations, getEnv().SITE_URL));
