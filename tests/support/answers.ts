import {
	createGenerator,
	createProgram,
	DEFAULT_CONFIG,
	type SchemaGenerator,
} from 'ts-json-schema-generator';
import type { Answers } from '#src/features/openapi/openapi.ts';

type Node = Parameters<SchemaGenerator['createSchemaFromNodes']>[0][number];
type TypeNode = Node & { typeName?: { text: string }; typeArguments?: unknown };
/** As much of a statement's syntax as `export const name = endpoint<Type>()(…)` has. */
type Statement = {
	declarationList?: {
		declarations: {
			name: { text: string };
			initializer?: { expression?: { typeArguments?: TypeNode[] } };
		}[];
	};
};

const COMPONENTS = '#/components/schemas/';

/** Reads JSON Schemas of these endpoints' answers from the types that they are declared with. */
export function readAnswers(names: string[]): Answers {
	const config = {
		...DEFAULT_CONFIG,
		path: 'src/**/*.api.ts',
		tsconfig: 'tsconfig.json',
		// The compiler does that.
		skipTypeCheck: true,
		topRef: false,
		// An answer may get more fields.
		additionalProperties: true,
	};
	const tsProgram = createProgram(config);
	const generator = createGenerator({ ...config, tsProgram });
	const answers: Answers = { answers: {}, schemas: {} };
	const statements = tsProgram
		.getSourceFiles()
		.filter(({ fileName }) => fileName.endsWith('.api.ts'))
		.flatMap((file) => [...file.statements] as Statement[]);
	for (const { declarationList } of statements) {
		for (const { name, initializer } of declarationList?.declarations ?? []) {
			const type = initializer?.expression?.typeArguments?.[0];
			if (!type || !names.includes(name.text)) continue;
			const { $schema: _, definitions, ...schema } = generator.createSchemaFromNodes([type]);
			Object.assign(answers.schemas, definitions);
			const named = type.typeArguments ? undefined : type.typeName?.text;
			if (named) answers.schemas[named] = schema;
			answers.answers[name.text] = named ? { $ref: COMPONENTS + named } : schema;
		}
	}
	const text = JSON.stringify(answers)
		.replaceAll('#/definitions/', COMPONENTS)
		// Where the rule stands, which only we can read.
		.replace(/ \(product\.md\b[^()]*\)/g, '');
	return JSON.parse(text, (name, value: unknown) =>
		isTime(name, value) ? { ...value, format: 'date-time' } : value,
	) as Answers;
}

function isTime(name: string, schema: unknown): schema is object {
	const { type } = (schema ?? {}) as { type?: string | string[] };
	return /[a-z]At$/.test(name) && [type].flat().includes('string');
}
