/** The parts that have no dictionary of CSS, which is most of the package. */
declare module 'css-tree/parser' {
	export { parse as default } from 'css-tree';
}
declare module 'css-tree/generator' {
	export { generate as default } from 'css-tree';
}
