/** An element of a drawing. */
export type Shape = {
	name: string;
	attributes: Map<string, string>;
	children: (Shape | string)[];
	/** Attributes that name another element: its id, and what stands there if there is none. */
	references?: Map<string, Reference>;
	/** A filter that has lost a part. */
	isBroken?: boolean;
};
type Reference = { id: string; instead: string };

const escaped = (text: string) =>
	text.replace(/[&<>"]/g, (sign) => `&#${String(sign.charCodeAt(0))};`);

/** Returns a drawing as a file, which is read the same as XML and within HTML. */
export function writeShape({ name, attributes, children }: Shape): string {
	const all = [...attributes].map(([key, value]) => ` ${key}="${escaped(value)}"`).join('');
	if (children.length === 0) return `<${name}${all}/>`;
	const inner = children.map((child) =>
		typeof child === 'string' ? escaped(child) : writeShape(child),
	);
	return `<${name}${all}>${inner.join('')}</${name}>`;
}
