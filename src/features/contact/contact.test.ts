import { expect, test } from 'vitest';
import { topicFromQuery } from './contact.ts';

test.each([
	['?topic=Request%20your%20state', 'Request your state'],
	['?topic=Privacy&from=mail', 'Privacy'],
	['?topic=privacy', undefined],
	['', undefined],
])('the address %j asks for the topic %s', (search, topic) => {
	expect(topicFromQuery(search)).toBe(topic);
});
