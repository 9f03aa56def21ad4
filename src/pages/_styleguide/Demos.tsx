import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { Tooltip } from '#src/components/ui/Tooltip.tsx';

/** Every kind of field, in every state. */
export const Fields = island(() => (
	<div className="grid gap-5 sm:grid-cols-2">
		<Field label="Name" placeholder="Ada Lovelace" hint="As it will be shown." />
		<Field
			label="Email"
			type="email"
			defaultValue="ada@"
			error="Please enter a valid email address"
		/>
		<Field
			label="Topic"
			type="select"
			options={['General question', 'Request your state', 'Correction']}
		/>
		<Field label="Not now" defaultValue="Disabled" disabled />
		<div className="sm:col-span-2">
			<Field label="Comment" type="textarea" rows={3} />
		</div>
	</div>
));

/** Everything that opens over the page. */
export const Overlays = island(() => {
	const [open, setOpen] = useState(false);
	return (
		<div className="flex flex-wrap gap-3">
			<Button variant="quiet" onClick={() => toast({ title: 'Comment posted!' })}>
				Toast
			</Button>
			<Button
				variant="quiet"
				onClick={() =>
					toast({
						title: 'Email required',
						description: 'Please enter your email address.',
						destructive: true,
					})
				}
			>
				Destructive toast
			</Button>
			<Button variant="quiet" onClick={() => setOpen(true)}>
				Dialog
			</Button>
			<Tooltip text="Kept on this device only">
				<Button variant="quiet">Tooltip</Button>
			</Tooltip>
			<Tooltip text="The next one shows at once">
				<Button variant="quiet">Another</Button>
			</Tooltip>
			<Dialog open={open} onClose={() => setOpen(false)} title="Before you go">
				<p className="mb-4 text-muted">One letter a week, checked before it is sent.</p>
				<Field label="Email address" type="email" />
				<p className="mt-4 flex flex-wrap gap-3">
					<Button onClick={() => toast({ title: 'Successfully subscribed!' })}>Subscribe</Button>
					<Button variant="quiet" onClick={() => setOpen(false)}>
						No thanks
					</Button>
				</p>
			</Dialog>
		</div>
	);
});

/** Throws on request, to show the page-level fallback. */
export const Broken = island(() => {
	const [broken, setBroken] = useState(false);
	if (broken) throw new Error('The list of posts could not be read.');
	return (
		<Button variant="danger" onClick={() => setBroken(true)}>
			Throw an error
		</Button>
	);
}, 'page');
