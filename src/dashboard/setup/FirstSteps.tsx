import { Button } from '#src/components/ui/Button.tsx';
import { openScreen } from '#src/dashboard/kit/address.store.ts';
import { STEPS, type Step } from '#src/features/home/home.ts';

const WORDS: Record<Step, [label: string, screen: string, query?: Record<string, string>]> = {
	write: ['Write your first article', 'create'],
	subscribers: ['Bring your subscribers', 'subscribers'],
	articles: ['Bring your articles', 'settings', { part: 'Import and export' }],
	terms: ['Read your terms and privacy policy', 'pages'],
};

/** First steps of a new site's owner: those that are open, or all. */
export function FirstSteps({ open = STEPS }: { open?: readonly Step[] }) {
	return (
		<ul className="first-steps">
			{open.map((step, index) => {
				const [label, screen, query = {}] = WORDS[step];
				return (
					<li key={step}>
						<Button
							variant={index === 0 ? 'primary' : 'quiet'}
							onClick={() => openScreen(screen, query)}
						>
							{label}
						</Button>
					</li>
				);
			})}
			<li>
				<a className="button button-quiet" href="/" target="_blank" rel="noreferrer">
					Look at your site
				</a>
			</li>
		</ul>
	);
}
