/**
 * Settings of Astro's own command, imported before anything else of its configuration. Our own commands have read `.env`, and what
 * they start begins with settings of its own.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { ignoreShell } from './ignore-shell.ts';

const [, program = '', command] = process.argv;
if (/^astro(\.m?js)?$/.test(basename(program))) {
	if (existsSync('.env')) process.loadEnvFile('.env');
	if (command === 'build') ignoreShell();
}
