import { expect, test } from 'vitest';
import { frameAround, innerBorders, MAP_BOX, stateShapes } from './map.server.ts';

test.each(['map', 'locator'] as const)('the %s draws fifty states inside its box', (detail) => {
	const shapes = [...stateShapes(detail).values()];
	expect(shapes).toHaveLength(50);
	expect(shapes.map(({ name }) => name)).not.toContain('District of Columbia');
	for (const { name, d, bounds, label } of shapes) {
		expect(d, name).toMatch(/^(M\d+ \d+(l[-\d ]+)z)+$/);
		expect(bounds.x0).toBeGreaterThanOrEqual(MAP_BOX.x);
		expect(bounds.y0).toBeGreaterThanOrEqual(MAP_BOX.y);
		expect(bounds.x1).toBeLessThanOrEqual(MAP_BOX.x + MAP_BOX.width);
		expect(bounds.y1).toBeLessThanOrEqual(MAP_BOX.y + MAP_BOX.height);
		expect(label.x).toBeGreaterThan(bounds.x0);
		expect(label.y).toBeLessThan(bounds.y1);
	}
	expect(innerBorders(detail)).toMatch(/^M/);
});

test('the shapes are small, and the locator is smaller', () => {
	const size = (detail: 'map' | 'locator') =>
		[...stateShapes(detail).values()].reduce((sum, { d }) => sum + d.length, 0);
	expect(size('map')).toBeLessThan(18_000);
	expect(size('locator')).toBeLessThan(size('map') / 2);
});

test('neighbors are states that share a border, both ways; islands and Alaska have none', () => {
	const shapes = stateShapes('locator');
	expect(shapes.get('Maine')!.neighbors).toEqual(['New Hampshire']);
	expect(shapes.get('Hawaii')!.neighbors).toEqual([]);
	expect(shapes.get('Alaska')!.neighbors).toEqual([]);
	expect(shapes.get('Maryland')!.neighbors).not.toContain('District of Columbia');
	for (const { name, neighbors } of shapes.values()) {
		for (const other of neighbors) expect(shapes.get(other)!.neighbors).toContain(name);
	}
});

test('a frame has four corners around what it marks', () => {
	expect(frameAround({ x0: 10, y0: 10, x1: 310, y1: 310 })).toBe(
		'M0 36v-36h36M284 0h36v36M320 284v36h-36M36 320h-36v-36',
	);
});
