import { expect, test } from 'vitest';
import { followClaim } from './followed.ts';

const code = (attribute: string, text: string) =>
	`<figure class="code" ${attribute}><pre><code>${text}</code></pre></figure>`;
const html = (printed: string) =>
	`<p>Text.</p>${code('data-run="python"', 'print(1)')}${code('data-printed=""', printed)}
<h2 id="what-was-varied">What was varied</h2><p>The load. And more.</p>
<section class="footnotes"><ol><li>One</li><li>Two</li></ol></section>`;

test('a claim is followed through its program, its output and what was varied', () => {
	const followed = followClaim(html('6.0 75%\n7.0 88%\n7.5 94%'), 'At 75% an hour, at 94% a day.')!;
	expect(followed.program).toContain('print(1)');
	expect(followed.program).not.toContain('data-run');
	expect(followed.output).toContain('<mark>6.0 75%</mark>\n7.0 88%\n<mark>7.5 94%</mark>');
	expect(followed).toMatchObject({ varied: 'The load.', sources: 2 });
});

test.each([
	['no output names a number of it', html('6.0 76%')],
	['nothing runs', '<p>At 75%.</p>'],
])('a claim is not shown where %s', (_, given) => {
	expect(followClaim(given, 'At 75% an hour.')).toBeNull();
});
