import { useState } from 'react';
import { Done } from '#src/components/ui/Done.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { requestData } from './privacy.api.ts';
import { DATA_REQUESTED, dataForm } from './privacy.ts';

/** The privacy page's form, which emails the link to view and erase personal data. */
export const DataForm = island(Data);

function Data() {
	const [sent, setSent] = useState(false);
	if (sent) return <Done className="frame bg-sunken p-6 font-semibold">{DATA_REQUESTED}</Done>;
	return (
		<Form
			endpoint={requestData}
			form={dataForm}
			busy="Sending…"
			onSuccess={() => setSent(true)}
			className="form-inline"
		/>
	);
}
