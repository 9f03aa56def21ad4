import { useId } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { checkAccentContrast, nearestAccent, SITE_LABELS } from '#src/core/settings/site-form.ts';
import { cleanLogo } from '#src/core/settings/logo.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { IMAGE_TYPES } from '#src/features/media/media.ts';
import { AppError } from '#src/lib/errors.ts';
import type { SiteSettings } from '#src/site.ts';

type Props = {
	form: SiteSettings;
	errors: Readonly<Record<string, string>>;
	onEdit: (changes: Partial<SiteSettings>) => void;
};

const ACCENTS = [
	{ key: 'accent', theme: 'light' },
	{ key: 'accentDark', theme: 'dark' },
] as const;

/** The logo with its preview, and the accent color of both themes with what can be read of them. */
export function LookFields({ form, errors, onEdit }: Props) {
	return (
		<>
			<LogoField logo={form.logo} name={form.name} error={errors['logo']} onEdit={onEdit} />
			{ACCENTS.map(({ key, theme }) => {
				const color = form[key];
				const { passes, verdict } = checkAccentContrast(color, theme);
				const nearest = nearestAccent(color, theme);
				return (
					<div key={key} className="site-accent">
						<Field
							label={SITE_LABELS[key]}
							name={key}
							value={color}
							autoComplete="off"
							spellCheck={false}
							error={errors[key] === verdict ? undefined : errors[key]}
							onChange={({ currentTarget }) => onEdit({ [key]: currentTarget.value.trim() })}
						/>
						<input
							type="color"
							aria-label={`Pick the color of the ${theme} theme`}
							value={/^#[0-9a-f]{6}$/i.test(color) ? color : '#000000'}
							onChange={({ currentTarget }) => onEdit({ [key]: currentTarget.value })}
						/>
						<p className="site-verdict" role="status" data-bad={!passes || undefined}>
							{verdict}
						</p>
						{!passes && nearest && (
							<Button variant="quiet" onClick={() => onEdit({ [key]: nearest })}>
								Use {nearest}
							</Button>
						)}
						<p
							className="site-sample"
							style={{
								colorScheme: theme,
								...(passes && { ['--color-accent' as string]: color }),
							}}
							aria-hidden="true"
						>
							<span>A link</span>
							<span className="site-sample-button">A button</span>
						</p>
					</div>
				);
			})}
		</>
	);
}

type LogoProps = {
	logo: string;
	name: string;
	error: string | undefined;
	onEdit: (changes: Partial<SiteSettings>) => void;
};

/** The logo with its preview on light and on dark paper. */
export function LogoField({ logo, name, error, onEdit }: LogoProps) {
	const { busy, reason, run } = useSubmit();
	const id = useId();

	async function take(file: File) {
		if (file.type === 'image/svg+xml') {
			const cleaned = cleanLogo(await file.text());
			if (!('svg' in cleaned)) throw new AppError('validation', cleaned.problem);
			onEdit({ logo: cleaned.svg });
		} else {
			// What scales photos down is loaded only for this.
			const { uploadImage } = await import('#src/dashboard/media/upload.store.ts');
			onEdit({ logo: (await uploadImage(file)).url });
		}
	}

	return (
		<div className="site-logo">
			<div className="field">
				<label htmlFor={id}>{SITE_LABELS.logo}</label>
				<label className="button button-quiet upload">
					{logo ? 'Choose another logo' : 'Choose a logo'}
					<input
						id={id}
						type="file"
						name="logo"
						accept={['image/svg+xml', ...IMAGE_TYPES].join()}
						onChange={({ currentTarget }) => {
							const [file] = currentTarget.files ?? [];
							if (file) void run(() => take(file));
							// The same file can be chosen again.
							currentTarget.value = '';
						}}
					/>
				</label>
			</div>
			<p className="field-hint">
				An SVG, or a picture with little text. It stands beside the name, on light and on dark
				paper.
			</p>
			{busy && <p role="status">Uploading…</p>}
			<FieldError>{reason || error}</FieldError>
			<div className="site-previews" role="group" aria-label="How the logo looks">
				{(['light', 'dark'] as const).map((theme) => (
					<p key={theme} style={{ colorScheme: theme }}>
						{logo ? <img src={sourceOf(logo)} alt="" /> : <Mark />}
						<span>{name}</span>
					</p>
				))}
			</div>
			{logo && (
				<Button variant="quiet" onClick={() => onEdit({ logo: '' })}>
					Back to the usual mark
				</Button>
			)}
		</div>
	);
}

export const sourceOf = (logo: string) =>
	logo.startsWith('<') ? `data:image/svg+xml,${encodeURIComponent(logo)}` : logo;

/** The mark that comes with the site. */
export function Mark() {
	return (
		<svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
			<path
				d="M4 11V4h7M21 4h7v7M28 21v7h-7M11 28H4v-7"
				fill="none"
				stroke="currentColor"
				strokeWidth="2.5"
			/>
			<circle cx="16" cy="16" r="4" fill="currentColor" />
		</svg>
	);
}
