import * as z from 'zod/mini';
import type { Post } from '#src/features/posts/post.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { credentials } from './admin.ts';

/** Always answers 200, so that a page can ask without an error in the console. */
export const getStatus = endpoint<{ isAuthenticated: boolean }>()({
	method: 'GET',
	path: '/api/admin/status',
	input: z.object({}),
});

export const login = endpoint<{ isAuthenticated: true; email: string }>()({
	method: 'POST',
	path: '/api/admin/login',
	input: credentials,
});

export const logout = endpoint<{ isAuthenticated: false }>()({
	method: 'POST',
	path: '/api/admin/logout',
	input: z.object({}),
});

/** A post in the admin's list. */
export type AdminPost = Pick<
	Post,
	'id' | 'slug' | 'title' | 'published' | 'featured' | 'publishedAt' | 'updatedAt'
> & {
	category: string;
};

/** All posts, drafts included, newest change first. */
export const listAllPosts = endpoint<AdminPost[]>()({
	method: 'GET',
	path: '/api/admin/posts',
	input: z.object({}),
});
