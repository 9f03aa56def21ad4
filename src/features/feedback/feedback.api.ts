import { endpoint } from '#src/lib/endpoint.ts';
import { feedbackChange, feedbackInput } from './feedback.ts';

/** Sends an answer to the question under an article. */
export const sendFeedback = endpoint<{ success: true }>()('POST /api/feedback', feedbackInput);

/** Marks words of a reader as open, done or deleted. What is deleted can be opened again for 30 days. */
export const changeFeedback = endpoint<{ success: true }>()(
	'PUT /api/admin/feedback/:id',
	feedbackChange,
);
