/** Something that can be done with a post, in the editor's menu and in the palette. */
export type WriterAction = {
	label: string;
	/** Its shortcut, as a person reads it. */
	keys?: string;
	/** Has a button of its own beside the menu: always, or where there is room. */
	hasButton?: 'always' | 'wide';
	isDanger?: true;
	run: () => void;
};
