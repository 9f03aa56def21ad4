import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import type { SiteFacts } from './facts.ts';
import { settingsChange, type Settings } from './setting.ts';

export const getSettings = endpoint<Settings>()({
	method: 'GET',
	path: '/api/admin/settings',
	input: z.object({}),
});

export const changeSettings = endpoint<Settings>()({
	method: 'PUT',
	path: '/api/admin/settings',
	input: settingsChange,
});

export const getFacts = endpoint<SiteFacts>()({
	method: 'GET',
	path: '/api/admin/facts',
	input: z.object({}),
});
