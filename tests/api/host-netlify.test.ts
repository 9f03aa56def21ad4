import { listFunctions, zipFunctions } from '@netlify/zip-it-and-ship-it';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Context } from '@netlify/functions';
import * as buildCache from '#netlify/build-cache/index.js';
import { downloadsFolder } from '#src/features/downloads/downloads.server.ts';
import { folderOf, ROOT } from '#src/host/builds.ts';
import { BUNDLES, bundleFunctions } from '#src/host/bundle.ts';
import {
	commentsPerAddress,
	eventsPerAddress,
	formsPerAddress,
	loginsPerAddress,
} from '#src/features/limits/limits.server.ts';
