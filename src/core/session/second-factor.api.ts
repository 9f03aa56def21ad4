import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import { confirmation, type Offer, type SecondFactor } from './second-factor.ts';

export const getSecondFactor = endpoint<SecondFactor>()('GET /api/admin/second-factor', nothing);

/** Stores nothing: the key counts once `turnOnSecondFactor` brings a code of the app. */
export const offerSecondFactor = endpoint<Offer>()('POST /api/admin/second-factor', nothing);

/** Ends all other sessions. Returns the recovery codes, which are never shown again. */
export const turnOnSecondFactor = endpoint<{ codes: string[] }>()(
	'PUT /api/admin/second-factor',
	confirmation,
);

/** Replaces the recovery codes. Returns the new ones, which are never shown again. */
export const renewRecoveryCodes = endpoint<{ codes: string[] }>()(
	'POST /api/admin/second-factor/codes',
	nothing,
);

export const turnOffSecondFactor = endpoint<SecondFactor>()(
	'POST /api/admin/second-factor/removal',
	nothing,
);
