import { useRef, useState } from 'react';
import type { Settings, SettingsChange, StoredSettings } from '#src/core/settings/setting.ts';
import { getSettings } from '#src/core/settings/settings.api.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { ChooseFields } from '#src/dashboard/records/ChooseFields.tsx';
import { saveSettings, type Dispute, type SettingKey } from './saving.store.ts';

const NOTHING = {};

const LABELS: Record<keyof Settings, string> = {
	comments: 'New comments',
	commentMails: 'Email me about new comments',
	blocked: 'Blocked addresses and names',
	refusedWords: 'Refused words',
	letterCadence: 'How often',
	letterDay: 'Day',
	letterHour: 'Hour',
	confirmSignup: 'Signup',
	openFigures: 'Open page',
	abbreviations: 'Abbreviations and other names',
};

type Choosing = Dispute & { choose: (taken: readonly SettingKey[]) => void };

/**
 * Returns the settings and how to save some of them, one save after the other. `choice` asks where somebody else changed
 * the same meanwhile, and is shown beside the fields; `wordsOf` returns a value in the words that the form has for it.
 */
export function useSettings(wordsOf: (value: string) => string = (value) => value) {
	const { answer, error, reload } = useAnswer(getSettings, NOTHING);
	const [choosing, setChoosing] = useState<Choosing>();
	/** The newest settings known here. */
	const known = useRef<StoredSettings>(undefined);
	if (answer && answer.version >= (known.current?.version ?? 0)) known.current = answer;
	const turn = useRef<Promise<unknown>>(Promise.resolve());

	/** Saves changes that were made from `base`, or else from the newest settings. Returns all settings. */
	function save(changes: SettingsChange, base?: StoredSettings): Promise<StoredSettings> {
		const saved = turn.current.then(() => send(changes, base ?? known.current!));
		turn.current = saved.catch(() => {});
		return saved;
	}

	async function send(changes: SettingsChange, base: StoredSettings): Promise<StoredSettings> {
		try {
			known.current = await saveSettings(base, changes, ask);
			return known.current;
		} finally {
			reload();
		}
	}

	async function ask(dispute: Dispute): Promise<readonly SettingKey[]> {
		const { promise, resolve: choose } = Promise.withResolvers<readonly SettingKey[]>();
		setChoosing({ ...dispute, choose });
		const taken = await promise;
		setChoosing(undefined);
		return taken;
	}

	const choice = choosing && (
		<ChooseFields
			from="elsewhere"
			choices={choosing.keys.map((name) => ({
				name,
				label: LABELS[name],
				mine: wordsOf(String(choosing.mine[name])),
				theirs: wordsOf(String(choosing.theirs[name])),
			}))}
			onChosen={(taken) => choosing.choose(taken as SettingKey[])}
		/>
	);
	return { stored: known.current, error, reload, save, choice };
}
