/** What a browser says of itself, in names people know. */
export interface Device {
  readonly browser: string | null;
  readonly system: string | null;
}

type Rules = readonly (readonly [RegExp, string])[];

// Most browsers claim to be others as well: whoever is named more narrowly stands first.
const browsers: Rules = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|OPX|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bDuckDuckGo\/|\bDdg\//, 'DuckDuckGo'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/\bTrident\/|\bMSIE /, 'Internet Explorer'],
];

const systems: Rules = [
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

const nameIn = (rules: Rules, agent: string): string | null =>
  rules.find(([pattern]) => pattern.test(agent))?.[1] ?? null;

/**
 * Browser and system of a `User-Agent`, without versions, which browsers no longer tell truthfully.
 * @param agent the header as it came, at most a few hundred characters
 */
export const deviceOf = (agent: string | null): Device => ({
  browser: nameIn(browsers, agent ?? ''),
  system: nameIn(systems, agent ?? ''),
});
