/**
 * Records each statement that embedded databases compile, in the folder that `STATEMENTS_FOLDER` names, so that
 * `tests/statements.ts` can ask a libSQL server for the same.
 */
import Database from 'libsql';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
// First, so that this sees what the client asks for, not what was kept.
import '#db/statements.ts';

const folder = process.env['STATEMENTS_FOLDER'];
/** Longer ones name each of many values. */
const MAX_LENGTH = 20_000;
const COMPILED = /^\s*(?:select|insert|update|delete|with)\b/i;
/** Damage that tests plant, and rows of a second file, which no server has. */
const ELSEWHERE = /\bx'[0-9a-f]+'|\bnowhere\b|\bformer\./;

type Methods = { prepare: (text: string) => unknown };

/** Returns a statement in which lists of values have one value, and lists of equal rows one row. */
function shapeOf(text: string): string {
	return text
		.replaceAll(/\bin \(\?(?:, ?\?)+\)/gi, 'in (?)')
		.replaceAll(
			/(\((?:\?|null)(?:, ?(?:\?|null))*\))(?:, ?\((?:\?|null)(?:, ?(?:\?|null))*\))+/gi,
			'$1',
		);
}

const seen = (globalThis as { recordedStatements?: Set<string> }).recordedStatements;
if (folder && !seen) {
	const recorded = new Set<string>();
	Object.assign(globalThis, { recordedStatements: recorded });
	const methods = Database.prototype as unknown as Methods;
	const { prepare } = methods;
	methods.prepare = function (text) {
		if (text.length <= MAX_LENGTH && COMPILED.test(text) && !ELSEWHERE.test(text)) {
			const shape = shapeOf(text);
			if (!recorded.has(shape)) {
				recorded.add(shape);
				appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(shape)}\n`);
			}
		}
		return prepare.call(this, text);
	};
}
