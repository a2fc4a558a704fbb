import { describe, expect, it } from 'vitest';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { sha256 } from '../../secrets.ts';
import { authorisePayLink, openPayLink, payLinkExpiry } from './service.ts';

const fixture = useFixture();
const made = new Date('2026-03-02T09:00:00Z');

async function linked() {
  const { customer } = await fixture.seedPayer();
  const invoice = await fixture.seedPayable(customer, { dueOn: '2026-03-15' });
  const { rows } = await fixture.database
    .pool()
    .query<{ hash: Buffer; token_sealed: Buffer; expires_at: Date; text: string }>(
      'select hash, token_sealed, expires_at, l::text as text from invoice_pay_link l where invoice_id = $1',
      [invoice.id],
    );
  const [row] = rows;
  if (row === undefined) throw new Error('there is no link');
  return { customer, invoice, row };
}

describe('a pay link', () => {
  it('carries 128 random bits [decisions.6.constant.pay-link-bits]', async () => {
    const [one, other] = [await linked(), await linked()];
    for (const { invoice } of [one, other]) {
      expect(Buffer.from(invoice.token, 'base64url')).toHaveLength(16);
    }
    expect(one.invoice.token).not.toBe(other.invoice.token);
  });

  it('is kept sealed, and opens only for its invoice [decisions.6.pay-link-encrypted]', async () => {
    const { invoice, row } = await linked();
    const { secrets } = fixture.deps;
    const token = Buffer.from(invoice.token);
    expect(row.token_sealed.includes(token)).toBe(false);
    expect(row.text).not.toContain(token.toString('hex'));
    expect(openPayLink(secrets, row.token_sealed, invoice.id)).toBe(invoice.token);
    const other = await linked();
    expect(() => openPayLink(secrets, row.token_sealed, other.invoice.id)).toThrow();
  });

  it('is found by its hash [decisions.6.pay-link-hash]', async () => {
    const { customer, invoice, row } = await linked();
    expect(row.hash.equals(sha256(invoice.token))).toBe(true);
    const { web } = fixture.deps.databases;
    expect(await authorisePayLink(web, invoice.token, made)).toMatchObject({
      is: 'valid',
      invoiceId: invoice.id,
      scope: { customerId: customer.id },
    });
    expect(await authorisePayLink(web, `${invoice.token.slice(0, -1)}_`, made)).toEqual({ is: 'unknown' });
  });

  it('lives until 120 days after the later of due date and its making [decisions.6.constant.pay-link-life]', async () => {
    expect(payLinkExpiry('2026-03-15', made).toISOString()).toBe('2026-07-13T00:00:00.000Z');
    expect(payLinkExpiry('2026-01-15', made).toISOString()).toBe('2026-06-30T09:00:00.000Z');
    expect(payLinkExpiry(null, made).toISOString()).toBe('2026-06-30T09:00:00.000Z');
    const { invoice, row } = await linked();
    expect(row.expires_at).toEqual(payLinkExpiry('2026-03-15', fixture.clock.now()));
    const { web } = fixture.deps.databases;
    const at = (ms: number) => authorisePayLink(web, invoice.token, new Date(row.expires_at.getTime() + ms));
    expect([(await at(-1)).is, (await at(0)).is]).toEqual(['valid', 'expired']);
  });
});
