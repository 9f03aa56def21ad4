import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { posts } from '#db/schema.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';

test('a public article has a Markdown version, a draft and a missing one have none', async () => {
	const db = await useTestDb();
	const { id: categoryId } = await makeCategory(db, { name: 'Robotics' });
	const post = await makePost(db, {
		title: 'Kalman filters',
		excerpt: 'Careful "averaging".',
		content:
			'<h2>Why</h2><p>Because <strong>noise</strong>.</p><pre><code class="language-python">x = 1</code></pre>',
		tags: ['Filters', 'Sensors'],
		publishedAt: new Date('2026-03-01T12:00:00Z'),
		categoryId,
	});
	await renderStalePosts(db);
	const get = (slug: string) => fetchApi()(`/blog/${slug}.md`);
	const response = await get('kalman-filters');
	expect(response.status).toBe(200);
	expect(response.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8');
	expect(response.headers.get('Link')).toBe(
		'<https://groundtruth.test/blog/kalman-filters>; rel="canonical"',
	);
	expect(response.headers.get('Netlify-Cache-Tag')).toBe('posts');
	const { updatedAt } = post;
	expect(await response.text()).toBe(`---
title: "Kalman filters"
url: "https://groundtruth.test/blog/kalman-filters"
description: "Careful \\"averaging\\"."
author: "Grace"
published: "2026-03-01T12:00:00.000Z"
updated: "${updatedAt.toISOString()}"
category: "Robotics"
tags: ["Filters","Sensors"]
---

# Kalman filters

## Why

Because **noise**.

\`\`\`python
x = 1
\`\`\`
`);
	expect((await get('no-such-article')).status).toBe(404);
	await db.update(posts).set({ published: false }).where(eq(posts.id, post.id));
	const hidden = await get('kalman-filters');
	expect(hidden.status).toBe(404);
	expect(await hidden.text()).not.toContain('noise');
});
