/** Returns the questions of a text that has one on each line, up to the first question mark, and its answer after it. */
export function questionsIn(text: string): { question: string; answer: string }[] {
	return [...text.matchAll(/^(.+?\?)[ \t]+(\S.*)$/gm)].map(([, question = '', answer = '']) => ({
		question: question.trim(),
		answer: answer.trim(),
	}));
}
