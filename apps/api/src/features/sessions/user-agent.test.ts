import { describe, expect, it } from 'vitest';
import { deviceOf } from './user-agent.ts';

const mozilla = 'Mozilla/5.0';
const windows = `${mozilla} (Windows NT 10.0; Win64; x64)`;
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';

describe('browser and system in words', () => {
  it.each([
    [`${windows} ${webkit} Safari/537.36`, 'Chrome', 'Windows'],
    [`${windows} ${webkit} Safari/537.36 Edg/140.0.0.0`, 'Edge', 'Windows'],
    [`${windows} ${webkit} Safari/537.36 OPR/120.0.0.0`, 'Opera', 'Windows'],
    [`${mozilla} (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0`, 'Firefox', 'Windows'],
    [`${mozilla} (X11; Ubuntu; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0`, 'Firefox', 'Linux'],
    [`${mozilla} (X11; CrOS x86_64 14541.0.0) ${webkit} Safari/537.36`, 'Chrome', 'ChromeOS'],
    [
      `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`,
      'Safari',
      'Mac',
    ],
    [
      `${mozilla} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1`,
      'Safari',
      'iPhone',
    ],
    [
      `${mozilla} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`,
      'Chrome',
      'iPhone',
    ],
    [
      `${mozilla} (iPad; CPU OS 16_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/142.0 Mobile/15E148 Safari/605.1.15`,
      'Firefox',
      'iPad',
    ],
    [`${mozilla} (Linux; Android 10; K) ${webkit} Mobile Safari/537.36`, 'Chrome', 'Android'],
    [
      `${mozilla} (Linux; Android 14; SAMSUNG SM-S918B) ${webkit} SamsungBrowser/28.0 Mobile Safari/537.36`,
      'Samsung Internet',
      'Android',
    ],
    [`${windows} ${webkit.replace('Chrome', 'HeadlessChrome')} Safari/537.36`, 'Chrome', 'Windows'],
    ['curl/8.5.0', null, null],
    ['', null, null],
    [null, null, null],
  ])('%s', (agent, browser, system) => {
    expect(deviceOf(agent)).toEqual({ browser, system });
  });
});
