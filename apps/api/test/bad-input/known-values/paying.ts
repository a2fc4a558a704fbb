import type { CustomerThings } from '../../fixtures/customer-things.ts';
import { type KnownValues, LEFT_OUT } from '../good-request.ts';

/** Each call that takes a method away has one of its own. */
export function knownMethods({ methodIds, setupId }: CustomerThings, customerId: string): KnownValues {
  const [bank, first, second, third, fourth] = methodIds;
  const ofCustomer = '/v1/admin/customers/{id}';
  return {
    '/v1/ec/payments/cards id': first,
    '/v1/ec/payments/cards/{id} id': second,
    '/v1/ec/payments/cards token': 'tok_good',
    '/v1/ec/payments/cards type': 99,
    '/v1/ec/scripted/cards/tokenize token': third,
    expMonth: 8,
    expYear: 2032,
    '/v1/ec/payments/payment-methods/{id}/detach id': bank,
    '/v1/ec/payments/customer-default-source id': third,
    '/v1/ec/payments/customer-default-source cardToken': third,
    '/v1/ec/payments/setup-intent paymentMethodId': 'pm_good',
    paymentMethodType: 'card',
    '/v1/ec/payments/setup-intent/result reqUid': setupId,
    amounts: '32,45',
    [`${ofCustomer}/payment-methods id`]: customerId,
    [`${ofCustomer}/payment-methods/{methodId}/remove id`]: customerId,
    [`${ofCustomer}/payment-methods/{methodId}/remove methodId`]: fourth,
    [`${ofCustomer}/auto-pay id`]: customerId,
    [`${ofCustomer}/auto-pay/end id`]: customerId,
  };
}

/** A session in a currency that the chosen account cannot pay: one that were tried would be refused. */
export function knownBulk({ methodIds: [bank], sessionId }: CustomerThings, invoiceId: string): KnownValues {
  const pay = '/v1/ec/payments/pay/bulk';
  return {
    '/v1/ec/payments/intents invoiceIds': invoiceId,
    '/v1/ec/payments/intents id': 'portal-1',
    '/v1/ec/payments/intents amount': '110.00',
    '/v1/ec/payments/intents/{sessionId} sessionId': sessionId,
    '/v1/ec/scripted/pay/bulk-template/{sessionId} sessionId': sessionId,
    '/v1/ec/payments/checkout-session/{id} id': sessionId,
    [`${pay} uid`]: sessionId,
    '/v1/ec/payments/entries uid': sessionId,
    [`${pay} cardId`]: bank,
    [`${pay} type`]: 99,
    [`${pay} cardToken`]: LEFT_OUT,
    cardNumber: LEFT_OUT,
    expirationDate: LEFT_OUT,
    cardCode: LEFT_OUT,
    cvc: LEFT_OUT,
  };
}

/** A refund that has ended without anything taken: what is asked of it is understood and refused, so nothing may change. */
export function knownPayment(id: string, customerId: string, invoiceNumber: string): KnownValues {
  const path = '/v1/admin/payments';
  return {
    [`${path} customer`]: customerId,
    [`${path} invoice`]: invoiceNumber,
    [`${path} reference`]: '7K2M9QX4T1B8ZC3WRD',
    [`${path} since`]: '2026-01-01T00:00:00Z',
    [`${path} until`]: '2026-12-31T00:00:00Z',
    [`${path} cursor`]: 'f'.repeat(32),
    [`${path}/{id} id`]: id,
    [`${path}/{id}/refunds id`]: id,
    [`${path}/{id}/refunds amount`]: '0.01',
    [`${path}/{id}/refunds again`]: '7K2M9QX4T1B8ZC3WRD',
    [`${path}/{id}/resolve id`]: id,
    [`${path}/{id}/look-up id`]: id,
  };
}

/** A credit note: what only invoices take is understood and refused, so nothing may change. */
export function knownInvoice(id: string, customerId: string, number: string): KnownValues {
  const path = '/v1/admin/invoices';
  const byId = ['', '/void', '/dispute', '/reopen', '/settle', '/pay-link', '/document'].map(
    (rest) => [`${path}/{id}${rest} id`, id] as const,
  );
  const days = ['issuedFrom', 'issuedTo', 'dueFrom', 'dueTo', 'period'].map(
    (name) => [`${path} ${name}`, '2026-02-01'] as const,
  );
  return {
    ...Object.fromEntries([...byId, ...days]),
    [`${path} customer`]: customerId,
    [`${path}/{id}/document body`]: '%PDF-1.4\n%%EOF\n',
    [`${path} number`]: number,
    [`${path} cursor`]: 'f'.repeat(32),
    [`${path}/{id}/settle reference`]: 'bank-2',
    // What is sent is looked at before the customer, who is not known, so that nothing is taken in.
    ...Object.fromEntries(
      Object.entries({
        reference: number,
        customer: 'not known',
        currency: 'USD',
        issuedOn: '2026-02-01',
        price: '1',
        amount: '1',
        subtotal: '1',
        total: '1',
        payable: '1',
      }).map(([name, value]) => [`${path}/by-reference/{reference} ${name}`, value]),
    ),
    [`${path}/{id}/settle receivedOn`]: '2026-01-05',
  };
}

/** Of what Auto-Pay did and would do; and of links. */
export function knownRuns(customerId: string, number: string): KnownValues {
  const [autoPay, links] = ['/v1/admin/auto-pay', '/v1/admin/pay-links'];
  return {
    [`${autoPay}/preview at`]: '2026-03-15T06:00:00Z',
    [`${autoPay}/runs from`]: '2026-03-01',
    [`${autoPay}/runs to`]: '2026-03-31',
    [`${autoPay}/runs/{day} day`]: '2026-03-15',
    [`${links} invoice`]: number,
    ...Object.fromEntries(
      [`${autoPay}/preview`, `${autoPay}/runs/{day}`, links].flatMap((at) => [
        [`${at} customer`, customerId],
        [`${at} cursor`, '0'.repeat(32)],
      ]),
    ),
  };
}

/** A debit that was dismissed, so that nothing is booked, and a credit that is open, so that opening it changes nothing. */
export function knownBankEntries(
  {
    bankEntryIds: [dismissed, open, booked],
    externalPaymentId,
  }: Pick<CustomerThings, 'bankEntryIds' | 'externalPaymentId'>,
  customerId: string,
  number: string,
): KnownValues {
  const path = '/v1/admin/bank-entries';
  return {
    [`${path} customer`]: customerId,
    [`${path} import`]: booked,
    [`${path} from`]: '2026-01-01',
    [`${path} to`]: '2026-12-31',
    [`${path} cursor`]: 'f'.repeat(32),
    ...Object.fromEntries(['', '/book', '/dismiss'].map((rest) => [`${path}/{id}${rest} id`, dismissed])),
    [`${path}/{id}/reopen id`]: open,
    [`${path}/{id}/book customer`]: customerId,
    [`${path}/{id}/book invoices.0`]: number,
    [`${path}/{id}/book payment`]: externalPaymentId,
  };
}
