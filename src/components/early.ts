/**
 * Runs before the first paint: a chosen theme never flashes, and who comes back finds a text laid out as it was when
 * they left (global.css). The policy allows it by its hash.
 */
export const EARLY_SCRIPT = `try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}if(['reload','back_forward'].includes(performance.getEntriesByType('navigation')[0]?.type))document.documentElement.dataset.back=''`;
