import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { z } from 'astro/zod';

/** The days of the email course. */
const lessons = defineCollection({
	loader: glob({ base: './content/lessons', pattern: '*.md' }),
	schema: z.object({ title: z.string(), day: z.number(), summary: z.string() }),
});

export const collections = { lessons };
