import base from './playwright.config.ts';
export default { ...base, testDir: '/tmp/wt/found/tests/e2e', webServer: undefined, reporter: [['list']], projects: [{ name: 'shipped', use: { baseURL: 'http://127.0.0.1:8950' } }] };
