/** The languages that code is colored by: a fifth of the editor's code, loaded when it is on the screen. */
export { common } from 'lowlight';
