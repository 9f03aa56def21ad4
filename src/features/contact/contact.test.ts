import { expect, test } from 'vitest';
import { TEXTS } from '#src/texts.ts';
import { topicFromQuery } from './contact.ts';

test.each([
	['?topic=Request%20your%20state', 'Request your state'],
	['?topic=Privacy&from=mail', 'Privacy'],
	['?topic=privacy', undefined],
	['', undefined],
])('the address %j asks for the topic %s', (search, topic) => {
	expect(topicFromQuery(search, TEXTS.topics.sample.split('\n'))).toBe(topic);
});
