/** Gives tests databases on real libSQL servers, by the client that deployed functions have. */
import { afterEach } from 'vitest';
import { makeTestDbsBy } from './db.ts';
import { freeServerDbs, retakeServerDb, takeServerDb } from './kept-servers.ts';

makeTestDbsBy(takeServerDb, retakeServerDb);
afterEach(freeServerDbs);
