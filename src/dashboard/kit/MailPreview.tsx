import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { Segments } from '#src/components/ui/Segments.tsx';
import type { EmailView } from '#src/features/mail/deliveries.ts';
import { previewLetter } from '#src/features/newsletter/letters.api.ts';

/** Widths of the frame. A wide one has room for margins around an email's 600 px. */
const WIDTHS = { desktop: 640, phone: 360 } as const;
const LOOKS = [
	{ value: 'light', label: 'Light' },
	{ value: 'dark', label: 'Dark' },
	{ value: 'text', label: 'Text' },
] as const;

type Props<Other extends string> = {
	/** Looks besides those of an email. */
	others?: readonly { value: Other; label: string }[];
	/** A sentence above the frame. */
	note?: string;
	/** Places it beside what is written, where there is room. */
	beside?: boolean;
	/** Returns what is shown, while it is open. */
	children: (view: EmailView | Other, width: number) => ReactNode;
};

/** An email before it is sent: folded away or beside what is written, in both widths, both themes and as text. */
export function MailPreview<Other extends string = never>(props: Props<Other>) {
	const { others = [], note, beside = false, children } = props;
	const [isBeside] = useState(() => beside && innerWidth >= 1440);
	const [open, setOpen] = useState(isBeside);
	const [width, setWidth] = useState<keyof typeof WIDTHS>(isBeside ? 'phone' : 'desktop');
	const [view, setView] = useState<EmailView | Other>('light');
	return (
		<details
			className="mail-preview mt-2"
			open={open}
			onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
		>
			<summary className="link min-h-11 content-center">Preview</summary>
			{open && (
				<>
					<div className="my-4 flex flex-wrap gap-4">
						<Segments
							label="Width"
							value={width}
							options={[
								{ value: 'desktop', label: '600 px' },
								{ value: 'phone', label: '360 px' },
							]}
							onChange={(value) => setWidth(value as keyof typeof WIDTHS)}
						/>
						<Segments
							label="Look"
							value={view}
							options={[...LOOKS, ...others]}
							onChange={(value) => setView(value as EmailView | Other)}
						/>
					</div>
					{note && <p className="field-hint mb-3">{note}</p>}
					{children(view, WIDTHS[width])}
				</>
			)}
		</details>
	);
}

type LetterDraft = Record<'subject' | 'preview' | 'content', string>;

/** A letter as it is typed so far, before it is sent. */
export function LetterPreview({ letter }: { letter: LetterDraft }) {
	const { subject, preview, content } = letter;
	return (
		<MailPreview beside>
			{(view, width) => (
				<PostedFrame
					title="The letter as an email"
					width={width}
					action={previewLetter.path}
					fields={{ subject, preview, content, view }}
				/>
			)}
		</MailPreview>
	);
}

/** How long nothing is typed before the frame follows. */
const PAUSE_MS = 500;

type FrameProps = {
	title: string;
	width: number;
	/** Address of the call that answers with the email. */
	action: string;
	fields: Record<string, string>;
};

/** The email of what is typed so far. */
export function PostedFrame({ fields, ...props }: FrameProps) {
	const now = JSON.stringify(fields);
	const [typed, setTyped] = useState(now);
	useEffect(() => {
		const timer = setTimeout(() => setTyped(now), PAUSE_MS);
		return () => clearTimeout(timer);
	}, [now]);
	return <FreshFrame key={typed} {...props} fields={JSON.parse(typed) as typeof fields} />;
}

/** A frame of its own for each email, because one that is loaded again would be a step for the Back button. */
function FreshFrame({ title, width, action, fields }: FrameProps) {
	const form = useRef<HTMLFormElement>(null);
	// Its own: screens that are not open keep their frames.
	const name = `mail-preview-${useId()}`;
	useEffect(() => form.current!.submit(), []);
	return (
		<>
			<iframe className="mail-frame" name={name} title={title} width={width} />
			<form ref={form} hidden method="post" action={action} target={name}>
				{Object.entries(fields).map(([field, value]) => (
					<input key={field} type="hidden" name={field} value={value} />
				))}
			</form>
		</>
	);
}
