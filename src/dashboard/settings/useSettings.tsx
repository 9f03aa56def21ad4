import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { toast } from '#src/components/ui/toast.store.ts';
import type { Settings, SettingsChange, StoredSettings } from '#src/core/settings/setting.ts';
import { changeSettings, getSettings } from '#src/core/settings/settings.api.ts';
import { $unsavedCopies, findUnsaved, keepUnsaved } from '#src/dashboard/kit/unsaved.store.ts';
import { UnsavedNote } from '#src/dashboard/kit/UnsavedNote.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { ChooseFields } from '#src/dashboard/records/ChooseFields.tsx';
import { parse } from '#src/lib/endpoint.ts';
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

type TypedProps = {
	stored: StoredSettings;
	save: (changes: SettingsChange, base: StoredSettings) => Promise<StoredSettings>;
	name: SettingKey;
	/** The setting as it is typed, and what is stored of that. */
	textOf: (settings: StoredSettings) => string;
	changeOf: (text: string) => SettingsChange;
	/** Words of the toast. */
	done: string;
};

/**
 * Returns the text of a setting, how to change and save it, and the offer of what another tab or an earlier visit typed:
 * until it is saved, it is kept on this device. Nothing typed: it shows what is stored.
 */
export function useTyped({ stored, save, name, textOf, changeOf, done }: TypedProps) {
	const [typed, setTyped] = useState<{ text: string; base: StoredSettings }>();
	const { busy, reason, send } = useSubmit();
	const of = `setting ${name}`;
	const found = findUnsaved(useStore($unsavedCopies), of);
	useEffect(() => {
		const copy = typed && { base: typed.base, form: { text: typed.text } };
		keepUnsaved(of, copy ? { version: copy.base.version, ...copy } : null);
	}, [typed]);
	const text = typed?.text ?? textOf(stored);

	return {
		text,
		busy,
		error: reason || undefined,
		type: (next: string) =>
			setTyped((before) =>
				next === textOf(stored) ? undefined : { text: next, base: before?.base ?? stored },
			),
		submit: send(async () => {
			const change = changeOf(text);
			parse(changeSettings.input, change);
			await save(change, typed?.base ?? stored);
			// Keeps what was typed during the save.
			setTyped((now) => (now?.text === text ? undefined : now));
			toast({ title: 'Saved', description: done });
		}),
		note: found && !typed && (
			<UnsavedNote
				found={found}
				isOlder={found[1].version < stored.version}
				onUse={({ base, form }) =>
					setTyped({ text: String(form['text']), base: base as StoredSettings })
				}
			/>
		),
	};
}
