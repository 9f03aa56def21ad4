import { endpoint } from '#src/lib/endpoint.ts';
import { bulkInput, type BulkResult } from './bulk.ts';
import { postFilter } from './editing.ts';

/** Changes many posts at once: those that are so already are left alone, and those that cannot be are told. */
export const bulkPosts = endpoint<BulkResult>()('POST /api/admin/posts/bulk', bulkInput);

/** The ids of all posts that a filter of the list shows, 10,000 at most. */
export const listPostIds = endpoint<{ ids: string[] }>()('GET /api/admin/posts/ids', postFilter);
