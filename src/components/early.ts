/**
 * Runs before the first paint, so that a chosen theme never flashes, and a reader who comes back finds the text
 * laid out as before (global.css). The content security policy allows it by its hash.
 */
export const EARLY_SCRIPT = `try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}if(['reload','back_forward'].includes(performance.getEntriesByType('navigation')[0]?.type))document.documentElement.dataset.back=''`;
