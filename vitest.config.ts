import { defineConfig } from 'vitest/config';

export default defineConfig({
	oxc: { jsx: { runtime: 'automatic' } },
	test: {
		// Never below functions/: a test there would be deployed.
		include: [
			'src/**/*.test.{ts,tsx}',
			'db/**/*.test.ts',
			'tests/{api,build,content,islands}/**/*.test.{ts,tsx}',
		],
		// The default leaves one core idle.
		maxWorkers: '100%',
		// For machines that do much else at the same time.
		testTimeout: 20_000,
		setupFiles: ['tests/support/setup.ts'],
	},
});
