import { readFileSync } from 'node:fs';
import { DEFAULT_COLOURS, storedBrandSettings, storedResellerSettings } from '@counterfoil/contract/brand.ts';
import {
  isMailKind,
  MAIL_PLACEHOLDERS,
  type MailTexts,
  unknownPlaceholders,
} from '@counterfoil/contract/mail-texts.ts';
import { withValues } from '@counterfoil/domain/text/placeholders.ts';
import { describe, expect, it } from 'vitest';
import type { Brand } from '../features/brand/service.ts';
import { sampleMails } from './samples.ts';
import { builtInTexts } from './texts.ts';

const kinds = Object.keys(MAIL_PLACEHOLDERS).filter(isMailKind);
const brandWith = (over: Partial<Brand>, mailTexts: MailTexts = {}): Brand => ({
  id: 1,
  resellerId: 1,
  name: 'Acme',
  companyName: 'Acme',
  colours: DEFAULT_COLOURS,
  timeZone: 'UTC',
  currency: 'USD',
  mainHost: 'bills.acme.example',
  settings: storedBrandSettings.parse({ mailTexts }),
  reseller: storedResellerSettings.parse({}),
  ...over,
});
const samples = (brand: Brand) =>
  sampleMails({
    brand,
    to: 'ada@x.example',
    now: new Date('2026-03-01T10:00:00Z'),
    id: '1',
    mailFrom: 'billing@portal.example',
    publicUrl: new URL('https://portal.example'),
  });

describe('the texts of mails', () => {
  it.each(kinds)('of %s name only what the mail has, and leave no brace behind', (kind) => {
    expect(Object.values(builtInTexts[kind]).flatMap((text) => unknownPlaceholders(kind, text))).toEqual([]);
    const { subject, text, html } = samples(brandWith({}))[kind];
    expect(`${subject}${text}`).not.toMatch(/[{}]/);
    expect(html).toContain('Acme');
  });

  it.each(kinds)('of %s are documented with their placeholders', (kind) => {
    const docs = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
    const row = docs.split('\n').find((line) => line.startsWith(`| \`${kind}\` |`));
    expect(row).toContain(MAIL_PLACEHOLDERS[kind].map((name) => `\`{${name}}\``).join(', '));
  });

  it('take a value as it is: markup is escaped, braces in it stay braces', () => {
    expect(withValues('{a}-{b}-{c}', { a: '{b}', b: 'x' })).toBe('{b}-x-{c}');
    const brand = brandWith({ companyName: '<b>{username}</b>\r\nBcc: eve@evil.example' });
    for (const { subject, from, text, html } of Object.values(samples(brand))) {
      expect(`${subject}${from.name}`).not.toMatch(/[\r\n]/);
      expect(text).toContain('<b>{username}</b> Bcc');
      expect(html).toContain('&lt;b&gt;{username}&lt;/b&gt;');
      expect(html).not.toContain('<b>');
    }
  });

  it('are the brand’s own where it has some, part by part', () => {
    const brand = brandWith({}, { receipt: { text: 'Thank you.\n\nSee you.' } });
    const { subject, text, html } = samples(brand).receipt;
    expect(subject).toBe('Receipt from Acme: Invoice 2026-0417, 2026-0418');
    expect(text).toContain('You paid $126.45 to Acme\n\nThank you.\n\nSee you.\n\nInvoice 2026-0417:');
    expect(html).toMatch(/<p [^>]*>Thank you\.<\/p>\n<p [^>]*>See you\.<\/p>/);
  });
});

it('a mail leads to the provider’s own pages at its foot', () => {
  const settings = storedBrandSettings.parse({ termsUrl: 'https://acme.example/terms?a=1&b=2' });
  for (const { text, html } of Object.values(samples(brandWith({ settings })))) {
    expect(text).toMatch(/Acme\nTerms: https:\/\/acme\.example\/terms\?a=1&b=2\n$/);
    expect(html).toMatch(/<a [^>]*href="https:\/\/acme\.example\/terms\?a=1&amp;b=2"[^>]*>Terms<\/a>/);
  }
});

describe('a mail as HTML', () => {
  it('loads nothing, runs nothing, and tells both themes', () => {
    for (const { html } of Object.values(samples(brandWith({})))) {
      expect(html).not.toMatch(/<(img|script|link|iframe|object|video|form)\b|url\(|@import|\son\w+=/i);
      expect([...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, to]) => new URL(to ?? '').origin)).toEqual(
        html.includes('<a ') ? ['https://bills.acme.example'] : [],
      );
      expect(html).toContain('<meta name="color-scheme" content="light dark">');
      expect(html).toContain('@media(prefers-color-scheme:dark)');
    }
  });
});
