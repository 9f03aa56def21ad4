import { endpoint } from '#src/lib/endpoint.ts';
import { upgradeInput, type UpgradeAnswer } from './download.ts';

export const requestUpgrade = endpoint<UpgradeAnswer>()({
	method: 'POST',
	path: '/api/content-upgrade',
	input: upgradeInput,
});
