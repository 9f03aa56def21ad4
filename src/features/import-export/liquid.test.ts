import { expect, test } from 'vitest';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { withoutLiquid } from './liquid.ts';

const site = {
	config: new Map([['repository', 'https://code.example/x']]),
	pathOf: (name: string) => (name === '2014-05-06-two' ? '/blog/two' : undefined),
};
const write = (source: string) => {
	const told: string[] = [];
	return [withoutLiquid(source, site, (what) => void told.push(what)), told] as const;
};

test.each([
	['Nothing { of % } it', 'Nothing { of % } it', []],
	[
		'{% highlight ruby linenos %}\nputs {{ 1 }}\n{% endhighlight %}',
		'~~~~~ ruby\nputs {{ 1 }}\n~~~~~',
		['Is a code block', 'Stays as it is written'],
	],
	['![x]({{ site.baseurl }}/a.png)', '![x](/a.png)', ['Is written out']],
	[
		'{{ "/docs/" | relative_url }} {{ site.repository }}',
		'/docs/ https://code.example/x',
		['Is written out', 'Is written out'],
	],
	['[x]({% post_url 2014-05-06-two %}#a)', '[x](/blog/two#a)', ['Is written out']],
	['[x]({% link _posts/2014-05-06-two.markdown %})', '[x](/blog/two)', ['Is written out']],
	['{% raw %}{{ site.baseurl }}{% endraw %}', '{{ site.baseurl }}', []],
	['a{% comment %}b{% endcomment %}c', 'ac', ['Left out: a comment']],
	[
		'{% include a.html %} {{ page.title }}',
		'{% include a.html %} {{ page.title }}',
		['Stays as it is written', 'Stays as it is written'],
	],
	[
		'a {% highlight c %}\nb\n{% endhighlight %} d',
		'a \n\n~~~~~ c\nb\n~~~~~\n\n d',
		['Is a code block'],
	],
	['{% embed https://a.example/b %}', 'https://a.example/b', ['Kept as a link']],
	['{% youtube abc-1 %}', 'https://www.youtube.com/watch?v=abc-1', ['Kept as a link']],
])('%j is %j', (source, written, told) => {
	expect(write(source)).toEqual([written, told]);
});

test('links by reference hold, whether what they lead to is known or not', async () => {
	const [written] = write(
		'By [#1][] and [#2][], [a][b].\n\n{% assign numbers = "1|2" | split: "|" %}\n{% for one in numbers %}\n[#{{ one }}]: {{ site.repository }}/{{ one }}\n{% endfor %}\n\n[b]: {{ site.other }}/x\n',
	);
	const html = await markdownToHtml(written);
	expect(html).toContain(
		'By <a href="https://code.example/x/1">#1</a> and <a href="https://code.example/x/2">#2</a>, <a href=',
	);
	expect(html).toContain('>a</a>.</p>');
});
