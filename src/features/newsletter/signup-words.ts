import { site } from '#src/site.ts';
import { TEXTS } from '#src/texts.ts';

/** Returns what the signup says after it, as props of its island: none where it says the usual. */
export function signupWords(): { done?: string; toast?: string } {
	const { subscribed, subscribedToast } = site.words;
	return {
		...(subscribed !== TEXTS.subscribed.sample && { done: subscribed }),
		...(subscribedToast !== TEXTS.subscribedToast.sample && { toast: subscribedToast }),
	};
}
