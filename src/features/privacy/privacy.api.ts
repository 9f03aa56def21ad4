import { endpoint } from '#src/lib/endpoint.ts';
import { dataInput, type DataResponse } from './privacy.ts';

/** Emails the link with which an address views and erases its data. */
export const requestData = endpoint<DataResponse>()('POST /api/personal-data', dataInput);
