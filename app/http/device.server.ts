/** Newest names first: each browser also names those below it. */
const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const systems: [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A browser in its owner's words, such as `Firefox on Android`; null for an unknown one. Nothing else is kept of it. */
export function deviceOf(userAgent: string | null): string | null {
  // The header may be long; its beginning is enough.
  const text = (userAgent ?? '').slice(0, 500);
  const [browser, system] = [browsers, systems].map((list) => list.find(([pattern]) => pattern.test(text))?.[1]);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? null;
}
