/** Returns whether the window is as narrow as a phone's: what is long is folded there. */
export const isPhone = () => innerWidth < 768;
