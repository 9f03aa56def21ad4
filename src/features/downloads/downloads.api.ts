import { endpoint } from '#src/lib/endpoint.ts';
import { upgradeInput, type UpgradeAnswer } from './download.ts';

export const requestUpgrade = endpoint<UpgradeAnswer>()('POST /api/content-upgrade', upgradeInput);
