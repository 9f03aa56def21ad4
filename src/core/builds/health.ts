/** Vitals of a database that has never responded. */
export const UNKNOWN_VITALS = { writes: false, schemaVersion: null, builtAt: null };
