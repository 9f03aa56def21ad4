import { LoadError } from '#src/components/ui/LoadError.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { listNetworks } from '#src/features/networks/networks.api.ts';
import { NETWORK_NAMES } from '#src/features/networks/networks.ts';
import { joinWithAnd } from '#src/lib/text.ts';

const NOTHING = {};

type Props = { checked: boolean; onChange: (checked: boolean) => void };

/** Asks whether the networks that have an account are told of an article. */
export function NetworkChoice({ checked, onChange }: Props) {
	const networks = useAnswer(listNetworks, NOTHING);
	const names = (networks.answer ?? []).flatMap(({ network, account }) =>
		account ? [NETWORK_NAMES[network]] : [],
	);
	return (
		<>
			<LoadError what="The networks" {...networks} />
			{names.length > 0 && (
				<label className="mail-choice">
					<input
						type="checkbox"
						checked={checked}
						onChange={({ currentTarget }) => onChange(currentTarget.checked)}
					/>
					<span>
						Post it on {joinWithAnd(names)}
						<span className="field-hint block">
							Once, two minutes after publication, when its page is live.
						</span>
					</span>
				</label>
			)}
		</>
	);
}
