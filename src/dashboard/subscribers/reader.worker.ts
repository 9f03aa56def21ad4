import { answerReader } from './subscriber-reader.ts';

const answer = answerReader();
addEventListener('message', ({ data }: MessageEvent<Parameters<typeof answer>[0]>) => {
	void answer(data).then(
		(result) => postMessage({ result }),
		(error: unknown) => postMessage({ error: String(error) }),
	);
});
