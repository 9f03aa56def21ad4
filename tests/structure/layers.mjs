const TOOLS = ['src/lib', 'src/site.ts', 'src/texts.ts'];
const RULES = [...TOOLS, 'db', 'src/core', 'src/features'];

/**
 * Layers that each layer may import besides itself, from the bottom up: for lint, which names the line, and for a test, which
 * sees every file. docs/architecture.md draws the same.
 * @type {Record<string, string[]>}
 */
export const LAYERS = {
	'src/lib': [],
	'src/site.ts': ['src/lib', 'src/texts.ts'],
	'src/texts.ts': [],
	'src/styles': ['src/lib'],
	db: ['src/lib'],
	'src/core': [...TOOLS, 'db'],
	'src/components': [...TOOLS, 'src/styles'],
	'src/features': [...TOOLS, 'src/styles', 'db', 'src/core', 'src/components'],
	'src/dashboard': [...TOOLS, 'src/core', 'src/components', 'src/features'],
	'src/layouts': [...TOOLS, 'src/styles', 'src/core', 'src/components', 'src/features'],
	// The only page of the dashboard is `/admin`.
	'src/pages': [
		...TOOLS,
		'src/core',
		'src/components',
		'src/features',
		'src/layouts',
		'src/dashboard',
	],
	'src/middleware.ts': ['src/lib'],
	functions: RULES,
	'src/build': RULES,
	'src/host': [...RULES, 'functions', 'src/build'],
	'src/cli': [...RULES, 'functions', 'src/build', 'src/host'],
};
