import { storedBrandSettings } from '@counterfoil/contract/brand.ts';
import { describe, expect, it } from 'vitest';
import { AdminRefused } from './refused.ts';
import { applySettings } from './settings-input.ts';

const set = (stored: Readonly<Record<string, unknown>>, ...assignments: string[]) =>
  applySettings(storedBrandSettings, stored, assignments);

describe('settings from a command line', () => {
  it('set members of groups at any depth, and leave their neighbours', () => {
    expect(
      set(
        { mailTexts: { reset: { subject: 'S' } }, language: 'sv' },
        'mailTexts.reset.text=First, and more.\n\nSecond.',
        'mailTexts.receipt.subject=Thanks',
        'cardFee.basisPoints=150',
        'invoiceMails.daysBefore=3',
        'invoiceMails.daysAfter=1, 7,14',
      ),
    ).toEqual({
      invoiceMails: { daysBefore: [3], daysAfter: [1, 7, 14] },
      mailTexts: {
        reset: { subject: 'S', text: 'First, and more.\n\nSecond.' },
        receipt: { subject: 'Thanks' },
      },
      language: 'sv',
      cardFee: { basisPoints: 150 },
    });
  });

  it('take a member back to its default by an empty value, and the group with its last member', () => {
    const stored = { mailTexts: { reset: { subject: 'S', heading: 'H' } }, language: 'sv' };
    expect(set(stored, 'mailTexts.reset.subject=')).toEqual({
      mailTexts: { reset: { heading: 'H' } },
      language: 'sv',
    });
    expect(set(stored, 'mailTexts.reset.subject=', 'mailTexts.reset.heading=')).toEqual({ language: 'sv' });
    expect(set(stored, 'mailTexts=')).toEqual({ language: 'sv' });
  });

  it.each([
    'mailTexts.rset.subject=x',
    'mailTexts.reset.subjct=x',
    'mailTexts.reset={"subjct":"x"}',
    'mailTexts.reset.subject=a\r\nBcc: eve@evil.example',
    'mailTexts.reset.subject.more=x',
    'invoiceLabelSingular.more=x',
    '__proto__.polluted=1',
    'nothing=1',
  ])('refuse %j', (assignment) => {
    expect(() => set({}, assignment)).toThrow(AdminRefused);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
