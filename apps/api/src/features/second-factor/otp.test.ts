import { generateSync } from 'otplib';
import { describe, expect, it } from 'vitest';
import { newOtpSecret, otpUri, stepOfCode } from './otp.ts';

/** '12345678901234567890' in base32: the shared secret of RFC 6238, appendix B. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
/** The SHA-1 rows of the RFC's table; it prints eight digits, of which an app shows the last six. */
const vectors = [
  [59, '94287082', 0x1],
  [1_111_111_109, '07081804', 0x23523ec],
  [1_111_111_111, '14050471', 0x23523ed],
  [1_234_567_890, '89005924', 0x273ef07],
  [2_000_000_000, '69279037', 0x3f940aa],
  [20_000_000_000, '65353130', 0x27bc86aa],
] as const;

describe('codes of an authenticator app', () => {
  it.each(vectors)('agree with RFC 6238 at %i s', (seconds, digits, step) => {
    const at = new Date(seconds * 1000);
    expect(stepOfCode(RFC_SECRET, digits.slice(2), at)).toBe(step);
    expect(generateSync({ secret: RFC_SECRET, epoch: seconds, digits: 8 })).toBe(digits);
  });

  it('are taken one step before and after their time, and not two', () => {
    const [seconds, digits, step] = vectors[3];
    const at = (steps: number) => new Date((seconds + steps * 30) * 1000);
    const found = [-2, -1, 0, 1, 2].map((steps) => stepOfCode(RFC_SECRET, digits.slice(2), at(steps)));
    expect(found).toEqual([undefined, step, step, step, undefined]);
  });

  it('may be typed in groups, and are nothing but six digits', () => {
    const at = new Date(59_000);
    expect(stepOfCode(RFC_SECRET, ' 287 082 ', at)).toBe(1);
    for (const typed of ['', '28708', '2870822', '28708a', '94287082', '２８７０８２', '287082\0']) {
      expect(stepOfCode(RFC_SECRET, typed, at)).toBeUndefined();
    }
  });

  it('come from 160 random bits, and an address that names brand and person', () => {
    const secret = newOtpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(newOtpSecret()).not.toBe(secret);
    const uri = new URL(otpUri(secret, 'Voltline & Söhne: Strom', 'ada+bills@demo.example'));
    expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp']);
    expect(uri.searchParams.get('secret')).toBe(secret);
    expect(uri.searchParams.get('issuer')).toBe('Voltline & Söhne: Strom');
    expect(decodeURIComponent(uri.pathname)).toContain('ada+bills@demo.example');
  });
});
