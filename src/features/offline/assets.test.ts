import { expect, test } from 'vitest';
import { assetsIn } from './assets.ts';

test('of a page the scripts, styles, fonts and pictures are found, each once', () => {
	const html = `<link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="/_astro/Base.abc-_1.css">
		<style>@font-face{src:url("/_astro/fonts/25745fe0.woff2") format("woff2")}</style>
		<astro-island component-url="/_astro/Toaster.D1.js" renderer-url="/_astro/client.D8.js"></astro-island>
		<astro-island component-url="/_astro/Form.D2.js" renderer-url="/_astro/client.D8.js"></astro-island>
		<img alt="" src="/pictures/a.png?w=1&amp;h=2"><img src="//elsewhere.example/b.png"><img src="https://elsewhere.example/c.png">
		<a href="/blog/other">other</a>`;
	expect(assetsIn(html).sort()).toEqual([
		'/_astro/Base.abc-_1.css',
		'/_astro/Form.D2.js',
		'/_astro/Toaster.D1.js',
		'/_astro/client.D8.js',
		'/_astro/fonts/25745fe0.woff2',
		'/favicon.svg',
		'/pictures/a.png?w=1&h=2',
	]);
});

test('of a script its imports are found, now and later, and nothing else that looks like a path', () => {
	const script =
		'import{a}from"./base.Bl-1.js";import"./side.X_2.js";const l=()=>import("./later.C3.js");' +
		'const d=["_astro/deep.D4.js","_astro/deep.D4.css"];const t=`./x`;fetch("/api/posts")';
	expect(assetsIn(script).sort()).toEqual([
		'/_astro/base.Bl-1.js',
		'/_astro/deep.D4.css',
		'/_astro/deep.D4.js',
		'/_astro/later.C3.js',
		'/_astro/side.X_2.js',
	]);
});

test('with an article the files of Python are not kept', () => {
	const script =
		'const a="/_astro/pyodide.asm.DoB.wasm",b="/_astro/python_stdlib.D1.zip",c="/_astro/python.D2.js"';
	expect(assetsIn(script)).toEqual(['/_astro/python.D2.js']);
});
