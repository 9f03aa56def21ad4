/** Event of an island that has its handlers; its `detail` is a `Current` of controls.ts. */
export const AWAKE = 'island-awake';
