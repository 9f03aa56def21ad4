/** Returns a readable name for a user agent: "Firefox on Linux". */
export function browserOf(userAgent: string): string {
	// Longer ones are made up, and the patterns take their time with those.
	const named = userAgent.slice(0, MAX_LENGTH);
	const browser = BROWSERS.find(([pattern]) => pattern.test(named))?.[1];
	const system = SYSTEMS.find(([pattern]) => pattern.test(named))?.[1];
	if (!browser) return system ? `A browser on ${system}` : 'An unknown browser';
	return system ? `${browser} on ${system}` : browser;
}

const MAX_LENGTH = 300;

// Each browser also names its ancestors, so the order matters.
const BROWSERS: [RegExp, string][] = [
	[/\bEdg(A|iOS)?\//, 'Edge'],
	[/\b(OPR|OPT|Opera)\//, 'Opera'],
	[/\bSamsungBrowser\//, 'Samsung Internet'],
	[/\b(Firefox|FxiOS)\//, 'Firefox'],
	[/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
	[/\bVersion\/.*\bSafari\//, 'Safari'],
	[/^curl\//, 'curl'],
	[/^(node|undici)\b/, 'Node'],
];
const SYSTEMS: [RegExp, string][] = [
	[/\b(iPhone|iPod)\b/, 'iPhone'],
	[/\biPad\b/, 'iPad'],
	[/\bAndroid\b/, 'Android'],
	[/\bWindows\b/, 'Windows'],
	[/\bCrOS\b/, 'ChromeOS'],
	[/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
	[/\bLinux\b/, 'Linux'],
];
