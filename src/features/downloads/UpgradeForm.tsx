import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Done } from '#src/components/ui/Done.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { track } from '#src/features/analytics/track.ts';
import { sentToast } from '#src/lib/form.ts';
import { requestUpgrade } from './downloads.api.ts';
import { upgradeFailure, upgradeForm, upgradeSuccess } from './download.ts';

/** The form for a download: then the address that its link was sent to, and a way to another one. */
export const UpgradeForm = island(Upgrade);

function Upgrade({ postId }: { postId?: string }) {
	const [sentTo, setSentTo] = useState<string>();
	/** The step that is left, where the site asks by email first. */
	const [asked, setAsked] = useState('');
	const place = useRef<HTMLDivElement>(null);

	function again() {
		flushSync(() => setSentTo(undefined));
		place.current?.querySelector('select')?.focus();
	}

	if (sentTo) {
		return (
			<Done>
				<p className="font-semibold">{asked || 'Check your email for the download link'}</p>
				<p className="mt-1 text-muted">
					It was sent to <span className="font-semibold text-ink">{sentTo}</span> and works for
					seven days.
				</p>
				<button type="button" className="link mt-2 text-sm" onClick={again}>
					Another download or address
				</button>
			</Done>
		);
	}
	return (
		<div ref={place}>
			<Form
				endpoint={requestUpgrade}
				form={upgradeForm}
				hidden={postId ? { postId } : {}}
				busy="Sending..."
				failure={upgradeFailure}
				onSuccess={(answer, { email, upgradeType }) => {
					track('content_upgrade_download', String(upgradeType));
					setAsked(answer.unconfirmed ? answer.message : '');
					setSentTo(String(email).trim());
					toast(sentToast(answer, upgradeSuccess));
				}}
			/>
		</div>
	);
}
