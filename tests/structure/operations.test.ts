import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openMetrics } from '#src/host/metrics.ts';
import { getEnv, setEnv } from '#src/lib/env.ts';
import { useTestDb } from '#tests/support/db.ts';

const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
type Rule = { alert: string; expr: string; annotations: { runbook: string } };
const { groups } = parse(read('operations/alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('operations/dashboard.json')) as {
	panels: { title: string; targets: { expr: string }[] }[];
};

/** Names of metrics in an expression of PromQL: what is no function, keyword, label or duration. */
function metricsIn(expr: string): string[] {
	const bare = expr.replace(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"|\b(by|on|without) \([^)]*\)/g, ' ');
	return (bare.match(/\b[a-z]\w*_\w+\b(?!\s*\()|\bup\b/g) ?? []).filter(
		(name) => name !== 'predict_linear',
	);
}

test('alerts and dashboard ask for metrics that the server has', async () => {
	await useTestDb();
	// Of a file, as on one machine: only there are copies made and a size known. Copies go elsewhere, too.
	setEnv({ ...getEnv(), DATABASE_URL: 'file:none.db', BACKUP_S3_URL: 'https://s3.example/copies' });
	const token = 'a token of the tests';
	const metrics = openMetrics(token);
	metrics.observe({ method: 'GET', route: 'page', status: 200, ms: 1 } as never);
	metrics.built(true, 1000);
	const headers = { Authorization: `Bearer ${token}` };
	const response = await metrics.respond(new Request('http://127.0.0.1/metrics', { headers }));
	const text = await response.text();
	const known = new Set([
		'up',
		...[...text.matchAll(/^([a-z]\w+)[ {]/gm)].map(([, name]) => name!),
	]);
	const asked = [
		...rules.map(({ expr }) => expr),
		...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
	].flatMap(metricsIn);
	expect(new Set(asked).size).toBeGreaterThan(12);
	expect(asked.filter((name) => !known.has(name))).toEqual([]);
});

test('each alert has a part of the runbook, and no part is for nothing', () => {
	const parts = [...read('runbook.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name!);
	expect(rules.map(({ alert }) => alert).sort()).toEqual([...parts].sort());
	for (const { alert, annotations } of rules)
		expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
});
