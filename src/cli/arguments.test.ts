import { expect, test } from 'vitest';
import { helpOf } from './arguments.ts';

test.each([
	['backup', 'npm run backup [FOLDER]'],
	['restore', 'npm run restore -- FILE|--latest [--force]'],
	['admin', 'npm run admin -- [--remove-second-factor]'],
	['start', 'npm start'],
])('%s says how it is called, and takes no option for a folder', (name, help) => {
	expect([helpOf(name, ['--help']), helpOf(name, ['-h'])]).toEqual([help, help]);
	expect(() => helpOf(name, ['--verbose', 'folder'])).toThrow(
		`"--verbose" is unknown here: ${help}`,
	);
});

test('one file or folder is taken, and none where there is no place for it', () => {
	expect(() => helpOf('restore', ['a.db', '--force', 'b.db'])).toThrow('"b.db" is unknown here');
	expect(() => helpOf('admin', ['ada@example.com'])).toThrow('"ada@example.com" is unknown here');
});

test.each([
	['backup', ['some folder']],
	['restore', ['--latest', '--force']],
	['archive', ['a.zip', '--with-secret']],
	['rollback', ['2']],
	['bench', ['--quick']],
])('%s with %j is run', (name, args) => {
	expect(helpOf(name, args)).toBeUndefined();
});
