import { expect, test } from 'vitest';
import * as api from '#src/features/states/states.api.ts';
import { call } from '#src/lib/endpoint.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { copySeed } from '#tests/support/seed.ts';

const get = (slug: string) => call(api.getState, { slug }, fetchApi());

test('states are listed by name, each with every field of product.md section 3', async () => {
	await copySeed(await useTestDb());
	const states = await call(api.listStates, {}, fetchApi());
	expect(states).toHaveLength(50);
	expect(states.map(({ name }) => name)).toEqual(states.map(({ name }) => name).sort());
	for (const state of states) {
		for (const [field, value] of Object.entries(state)) {
			if (field === 'aiJobs' || field === 'averageSalary') continue;
			expect(value, `${state.slug}: ${field}`).toSatisfy((it: string | object | number) =>
				typeof it === 'number' ? it > 0 : Object.keys(it).length > 0,
			);
		}
	}
});

test('a state is found by its slug, with its figures and where they come from', async () => {
	await copySeed(await useTestDb());
	expect(await get('new-york')).toMatchObject({
		name: 'New York',
		abbreviation: 'NY',
		capital: 'Albany',
		figures: expect.arrayContaining([
			{
				key: 'population',
				label: 'Population, 2020 Census',
				value: 20201249,
				unit: 'people',
				source: 'US Census Bureau, 2020 Census resident count',
				link: 'https://www.census.gov/data/tables/2020/dec/2020-apportionment-data.html',
				asOf: '2020-04-01',
			},
		]),
	});
});

test('an unknown state is answered with State not found', async () => {
	await copySeed(await useTestDb());
	for (const slug of ['atlantis', 'New-York', 'puerto-rico', 'compare', '%']) {
		await expect(get(slug)).rejects.toMatchObject({
			code: 'not_found',
			message: 'State not found',
		});
	}
});
