/** The calls of the API by their root keys, and what reports on transactions. */
import { words } from './data.ts';
import { createTransaction, updateHeld } from './payments.ts';
import {
  addPaymentProfile,
  asApi,
  createProfile,
  deletePaymentProfile,
  getPaymentProfile,
  getProfile,
  updatePaymentProfile,
} from './profiles.ts';
import {
  AnetFault,
  type Body,
  bodyAt,
  type Call,
  decimal,
  has,
  iso,
  makeNonce,
  maskedPayment,
  notFound,
  now,
  type Txn,
  textAt,
  type Work,
} from './work.ts';

// ---- Reporting ----

const details: Call = (work, body) => {
  const found = work.account.txns.get(textAt(body, 'transId'));
  if (found === undefined) throw notFound();
  const { id, type, status, at, minor, responseCode, reason, method, batch, returned } = found;
  const batchAt = work.account.batches.get(batch);
  return {
    transaction: {
      transId: id,
      ...(found.refTransId === '' ? {} : { refTransId: found.refTransId }),
      submitTimeUTC: iso(at),
      transactionType: type,
      transactionStatus: status,
      responseCode: Number(responseCode),
      responseReasonCode: reason,
      responseReasonDescription: words[reason] ?? '',
      ...(batchAt === undefined
        ? {}
        : { batch: { batchId: batch, settlementTimeUTC: iso(batchAt.at), settlementState: status } }),
      ...(found.invoice === ''
        ? {}
        : { order: { invoiceNumber: found.invoice, description: found.description } }),
      authAmount: Number(decimal(minor)),
      settleAmount: status === 'declined' ? 0 : Number(decimal(minor)),
      payment: maskedPayment(method),
      ...(returned.length === 0 ? {} : { returnedItems: returned }),
    },
    ...(found.refId === '' ? {} : { transrefId: found.refId }),
  };
};

/** A page of a list; an empty one has no list and another code. */
function listed(work: Work, body: Body, among: (txn: Txn) => boolean): Body {
  const { host } = work.turn;
  const seen = [...work.account.txns.newest()]
    .filter((one) => among(one) && now(work) - one.at >= host.settings.searchDelayMs)
    .sort((one, other) => other.at - one.at);
  const paging = bodyAt(body, 'paging');
  const [limit, offset] = [Number(textAt(paging, 'limit') || 1000), Number(textAt(paging, 'offset') || 1)];
  if (limit < 1 || limit > 1000 || offset < 1)
    throw new AnetFault('E00013', 'Paging limit or offset is invalid.');
  const rows = seen.slice((offset - 1) * limit, offset * limit);
  if (rows.length === 0) throw new AnetFault('I00004', 'No records found.');
  return {
    transactions: rows.map((one) => ({
      transId: one.id,
      submitTimeUTC: iso(one.at),
      transactionStatus: one.status,
      ...(one.invoice === '' ? {} : { invoiceNumber: one.invoice }),
      accountType: one.method.brand,
      accountNumber: `XXXX${one.method.last4}`,
      settleAmount: Number(decimal(one.minor)),
      hasReturnedItems: one.returned.length > 0,
      ...(has(one.profile, 'customerProfileId') ? { profile: one.profile } : {}),
    })),
    totalNumInResultSet: seen.length,
  };
}

const batches: Call = (work, body) => {
  const [from, to] = ['firstSettlementDate', 'lastSettlementDate'].map((name) =>
    Date.parse(textAt(body, name)),
  ) as [number, number];
  if (!(to - from <= 31 * 24 * 60 * 60_000))
    throw new AnetFault('E00013', 'The date range is longer than 31 days.');
  const found = [...work.account.batches.newest()].filter(({ at }) => at >= from && at <= to + 999);
  if (found.length === 0) throw new AnetFault('I00004', 'No records found.');
  return {
    batchList: found.map(({ id, at }) => ({
      batchId: id,
      settlementTimeUTC: iso(at),
      settlementState: 'settledSuccessfully',
    })),
  };
};

/** By root key: what it is for the orders of faults, whether it needs the right to report, and what it does. */
export const calls: Readonly<
  Record<string, { readonly is?: 'save' | 'find'; readonly reports?: true; readonly run: Call }>
> = {
  authenticateTestRequest: { run: () => ({}) },
  getMerchantDetailsRequest: {
    run: ({ account }) => ({
      isTestMode: account.id.startsWith('testmode'),
      merchantName: account.id,
      gatewayId: '1',
      currencies: [account.currency],
      paymentMethods: ['Visa', 'MasterCard', 'Echeck'],
      publicClientKey: clientKeyOf(account.id),
    }),
  },
  securePaymentContainerRequest: {
    run: (work, body) => ({
      opaqueData: {
        dataDescriptor: 'COMMON.ACCEPT.INAPP.PAYMENT',
        dataValue: asApi(() => makeNonce(work, bodyAt(body, 'data'))),
      },
    }),
  },
  createCustomerProfileRequest: { is: 'save', run: createProfile },
  getCustomerProfileRequest: { run: getProfile },
  createCustomerPaymentProfileRequest: { is: 'save', run: addPaymentProfile },
  updateCustomerPaymentProfileRequest: { is: 'save', run: updatePaymentProfile },
  getCustomerPaymentProfileRequest: { run: getPaymentProfile },
  deleteCustomerPaymentProfileRequest: { run: deletePaymentProfile },
  createTransactionRequest: { run: createTransaction },
  updateHeldTransactionRequest: { run: updateHeld },
  getTransactionDetailsRequest: { is: 'find', reports: true, run: details },
  getUnsettledTransactionListRequest: {
    is: 'find',
    reports: true,
    run: (work, body) => listed(work, body, ({ batch, status }) => batch === '' && status !== 'generalError'),
  },
  getTransactionListRequest: {
    is: 'find',
    reports: true,
    run: (work, body) => listed(work, body, ({ batch }) => batch === textAt(body, 'batchId')),
  },
  getSettledBatchListRequest: { is: 'find', reports: true, run: batches },
};

/** Keys of a sandbox account follow from its name. */
export const clientKeyOf = (account: string): string => `public-client-key-of-${account}`;
export const transactionKeyOf = (account: string): string => `${account}0000000000000000`.slice(0, 16);
