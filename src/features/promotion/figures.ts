/**
 * Stand-ins for figures that nobody has counted yet (specification section 7), drawn in the browser and only where
 * invented proof is on. `random` answers from 0 to below 1.
 */
export const INVENT = {
	views: (random: () => number) => 100 + Math.floor(random() * 900),
	shares: (random: () => number) => 10 + Math.floor(random() * 90),
};
