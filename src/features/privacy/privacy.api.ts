import { endpoint } from '#src/lib/endpoint.ts';
import { dataInput, type DataResponse } from './privacy.ts';

/** Mails the link behind which an address sees and erases what is held about it. */
export const requestData = endpoint<DataResponse>()({
	method: 'POST',
	path: '/api/personal-data',
	input: dataInput,
});
