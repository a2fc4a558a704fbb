import type { MailKind } from '@counterfoil/contract/mail-texts.ts';
import {
  newSignInMail,
  passwordChangedMail,
  registrationMail,
  resetMail,
  securityChangedMail,
} from '../features/auth/mails.ts';
import { type AutoPayNotice, autoPayMail } from '../features/auto-pay/mails.ts';
import { type Brand, brandUrl } from '../features/brand/service.ts';
import { invoiceMail } from '../features/invoice-mails/mails.ts';
import { payLinkMail } from '../features/pay-links/mails.ts';
import { receiptMail } from '../features/payments/receipts/mails.ts';
import { secondFactorSentence } from '../features/second-factor/mails.ts';
import { composeMail } from './compose.ts';
import type { Mail } from './mailer.ts';

export interface SampleParts {
  readonly brand: Brand;
  readonly to: string;
  readonly now: Date;
  /** Makes the mails of one run differ from those of another. */
  readonly id: string;
  readonly mailFrom: string;
  readonly publicUrl: URL;
}

/** One mail of every kind as a customer of this brand would get it; their links lead nowhere. */
export function sampleMails(parts: SampleParts): Readonly<Record<MailKind, Mail>> {
  const { brand, to: email, now, id, mailFrom, publicUrl } = parts;
  const to = { brand, email };
  const link = (path: string, kind: MailKind) => ({
    url: brandUrl(brand, publicUrl, path),
    id: `${id}.${kind}.sample`,
  });
  const autoPay = (notice: AutoPayNotice) =>
    composeMail(
      autoPayMail(
        brand,
        {
          to: email,
          resellerId: brand.resellerId ?? 0,
          invoiceId: '',
          number: '2026-0417',
          currency: brand.currency,
          news: notice,
        },
        {
          methods: brandUrl(brand, publicUrl, '/payment-types'),
          pay: brandUrl(brand, publicUrl, '/pay/sample'),
        },
        `<${id}.${notice.mail}.sample@auto-pay.counterfoil>`,
      ),
      mailFrom,
    );
  const day = now.toISOString().slice(0, 10);
  const invoice = (step: string, kind: MailKind) =>
    composeMail(
      invoiceMail(
        brand,
        {
          step,
          to: email,
          number: '2026-0417',
          currency: brand.currency,
          issued_on: day,
          due_on: day,
          due_minor: 8_400n,
          is_in_hand: false,
          is_covered: false,
          url: brandUrl(brand, publicUrl, '/pay/sample'),
        },
        `<${id}.${kind}.sample@invoice.counterfoil>`,
      ),
      mailFrom,
    );
  const method = 'Visa card ending 4242';
  return {
    registration: composeMail(
      registrationMail(to, link('/finish-registration/sample', 'registration')),
      mailFrom,
    ),
    reset: composeMail(resetMail(to, link('/reset-password/sample', 'reset')), mailFrom),
    passwordChanged: composeMail(passwordChangedMail(to, link('/login', 'passwordChanged'), now), mailFrom),
    securityChanged: composeMail(
      securityChangedMail(to, link('/login', 'securityChanged'), now, secondFactorSentence('on')),
      mailFrom,
    ),
    newSignIn: composeMail(
      newSignInMail(to, link('/login', 'newSignIn'), {
        at: now.toISOString(),
        address: '192.0.2.17',
        agent: 'Firefox/142.0 (Windows)',
        method: 'password',
      }),
      mailFrom,
    ),
    receipt: composeMail(
      receiptMail(
        brand,
        {
          to: email,
          ref: 'SAMPLE00000000001',
          currency: brand.currency,
          at: now,
          amount_minor: 12_645n,
          asked_minor: 12_645n,
          to_fee_minor: 245n,
          to_credit_minor: 0n,
          method: 'Visa ending 4242',
          credit_minor: 0n,
          invoices: [
            { id: '1', number: '2026-0417', minor: '8400', left: '0' },
            { id: '2', number: '2026-0418', minor: '4000', left: '0' },
          ],
        },
        `<${id}.receipt.sample@receipt.counterfoil>`,
      ),
      mailFrom,
    ),
    autoPayAhead: autoPay({
      mail: 'autoPayAhead',
      chargeOn: day,
      due: '8400',
      fee: '245',
      total: '8645',
      method,
      asksNobody: false,
    }),
    autoPayNoMethod: autoPay({ mail: 'autoPayNoMethod', dueOn: day, due: '8400' }),
    autoPayDeclined: autoPay({
      mail: 'autoPayDeclined',
      total: '8645',
      method,
      why: 'Not enough funds on this card',
      againOn: day,
      isOtherNeeded: false,
    }),
    autoPayConfirm: autoPay({ mail: 'autoPayConfirm', total: '8645', method }),
    autoPayPart: autoPay({ mail: 'autoPayPart', taken: '5000', due: '3400', method }),
    payLink: composeMail(
      payLinkMail(brand, {
        to: email,
        number: '2026-0417',
        currency: brand.currency,
        dueMinor: 8_400n,
        dueOn: day,
        url: brandUrl(brand, publicUrl, '/pay/sample'),
        messageId: `<${id}.payLink.sample@pay-link.counterfoil>`,
      }),
      mailFrom,
    ),
    invoiceNew: invoice('new', 'invoiceNew'),
    invoiceDueSoon: invoice('before:3', 'invoiceDueSoon'),
    invoiceOverdue: invoice('after:7', 'invoiceOverdue'),
  };
}
