import { endpoint } from '#src/lib/endpoint.ts';
import { contactInput } from './contact.ts';

export const sendMessage = endpoint<{ success: true }>()('POST /api/contact', contactInput);
