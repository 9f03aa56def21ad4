import { getDb } from '#db/client.ts';
import { on } from '#functions/lib/http.ts';
import { sensitive } from '#functions/lib/session.ts';
import { actorOf } from '#functions/lib/writing.ts';
import * as api from '#src/features/networks/networks.api.ts';
import {
	connectNetwork,
	disconnectNetwork,
	listNetworks,
	placeOnNetworks,
} from '#src/features/networks/networks.server.ts';

export const networksRoutes = [
	on(api.listNetworks, () => listNetworks(getDb())),
	sensitive(
		on(api.connectNetwork, (form, request) => connectNetwork(getDb(), form, actorOf(request))),
	),
	on(api.disconnectNetwork, ({ network }, request) =>
		disconnectNetwork(getDb(), network, actorOf(request)),
	),
	on(api.placeOnNetworks, ({ id, isIn }) => placeOnNetworks(getDb(), id, isIn, new Date())),
];
