import { describe, expect, it } from 'vitest';
import { newRecoveryCodes, plainRecoveryCode } from './recovery-codes.ts';

describe('recovery codes', () => {
  it('are ten of 60 bits in groups of four, without letters that read like figures', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/);
  });

  it('are read however they are typed', () => {
    for (const typed of ['k3d9-x7m1-20ht', 'K3D9 X7M1 20HT', ' k3d9x7mI2oht ', 'k3d9–x7ml–2Oht']) {
      expect(plainRecoveryCode(typed)).toBe('k3d9x7m120ht');
    }
  });
});
