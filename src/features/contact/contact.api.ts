import { endpoint } from '#src/lib/endpoint.ts';
import { contactInput } from './contact.ts';

export const sendMessage = endpoint<{ success: true }>()({
	method: 'POST',
	path: '/api/contact',
	input: contactInput,
});
