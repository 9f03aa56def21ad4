/**
 * Returns a form with what somebody else changed since both began with `base`: a field that only one side changed is that
 * side's. The fields that both changed are told, and are mine. `between` returns the fields in which two forms differ.
 */
export function mergeFields<Form extends object, Field extends keyof Form>(
	between: (a: Form, b: Form) => Field[],
	base: Form,
	mine: Form,
	theirs: Form,
): { merged: Form; disputed: Field[] } {
	const disputed: Field[] = [];
	const merged = { ...mine };
	const byMe = between(base, mine);
	for (const name of between(mine, theirs)) {
		if (!byMe.includes(name)) merged[name] = theirs[name];
		else if (between(base, theirs).includes(name)) disputed.push(name);
	}
	return { merged, disputed };
}
