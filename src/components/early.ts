/** Runs before the first paint, so that a chosen theme never flashes. The content security policy allows it by its hash. */
export const EARLY_SCRIPT = `try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`;
