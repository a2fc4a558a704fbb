import type { OpenSetup, SavedSource, SetupAnswer } from '@counterfoil/contract/paying/payment-methods.ts';
import type { Action } from '@counterfoil/gateways/port/gateway.ts';
import { AppError } from '../../app-error.ts';
import type { GatewayAccount } from '../payments/service.ts';
import { monthOf } from './method-row.ts';
import type { ListedRow } from './queries.ts';
import type { SetupRow } from './setups/setup-row.ts';

const STATUS = { now: 'ready', pending: 'pending', never: 'unusable' } as const;

/** A saved method on the wire: what all gateways have, and the object of this one, as its manifest declares it. */
export function presentMethod(row: ListedRow, account: GatewayAccount, now: Date): SavedSource {
  const { show } = row;
  const [year, month] = (row.expires ?? '').split('-').map(Number);
  const address = {
    line1: show['line1'] ?? null,
    line2: show['line2'] ?? null,
    city: show['city'] ?? null,
    state: show['state'] ?? null,
    postalCode: show['postalCode'] ?? null,
    country: show['country'] ?? null,
  };
  const name = show['name'] ?? null;
  return {
    ...account.module.manifest.saved?.present({ id: row.id, kind: row.kind, show }),
    id: row.id,
    paymentSourceId: row.id,
    default: row.is_default,
    isDefault: row.is_default,
    kind: row.kind,
    sourceType: row.kind === 'card' ? 'CC' : 'ACH',
    status: STATUS[row.usable],
    isExpired: row.expires !== null && row.expires < monthOf(now),
    brand: show['brand'] ?? show['bankName'] ?? null,
    last4: show['last4'] ?? null,
    lastFour: show['last4'] ?? null,
    routingNumber: show['routing'] ?? null,
    name,
    expMonth: month ?? null,
    expYear: year ? year : null,
    address,
    billingDetails: { name, email: show['email'] ?? null, phone: show['phone'] ?? null, address },
    mandate: presentMandate(row),
    verification:
      row.setup_id === null || row.needs === null
        ? null
        : { reqUid: row.setup_id, fields: [...row.needs.fields], page: row.needs.page ?? null },
  } as SavedSource;
}

function presentMandate(row: ListedRow): SavedSource['mandate'] {
  if (row.mandate_state === null) return null;
  return {
    status: row.mandate_state,
    reference: row.mandate_show?.['reference'] ?? null,
    url: row.mandate_show?.['url'] ?? null,
    agreedAt: row.agreed_at?.toISOString() ?? null,
    text: row.agreed_text,
  };
}

/**
 * What a call that saves a method answers.
 * @throws {AppError} when nothing was saved, with the gateway's words where it has some
 */
export function answerSetup(row: SetupRow, action: Action | undefined, source?: SavedSource): SetupAnswer {
  const reqUid = row.id;
  const more = source === undefined ? {} : { source };
  switch (row.state) {
    case 'saved':
      return { status: 'succeeded', reqUid, ...more };
    case 'redirect':
      return action?.do === 'redirect'
        ? { status: 'requires_action', redirectToUrl: action.to, reqUid }
        : { status: 'processing', expected: 'seconds', reqUid };
    case 'underWay':
      return { status: 'processing', expected: 'days', reqUid, ...more };
    case 'sending':
    case 'unknown':
      return { status: 'processing', expected: 'seconds', reqUid };
    case 'browser':
      if (row.decline !== null) throw new AppError('paymentMethod.declined', { text: row.decline.text });
      return { status: 'processing', expected: 'seconds', reqUid };
    default:
      throw refusalOf(row);
  }
}

function refusalOf({ state, decline }: SetupRow): AppError {
  if (state === 'refused')
    return new AppError('paymentMethod.declined', decline?.text ? { text: decline.text } : {});
  switch (decline?.code) {
    case 'config':
      return new AppError('gateway.misconfigured');
    case 'unreachable':
      return new AppError('server.unavailable');
    default:
      return new AppError('paymentMethod.refused');
  }
}

/** An open set-up: what the provider's script needs, or the page that the gateway has for it. */
export function presentSetup(row: SetupRow, action: Action | undefined): OpenSetup {
  if (!row.is_open) throw refusalOf(row);
  // Whether it was started is not known yet; the next look-up finds out.
  if (action === undefined || action.do === 'frame' || action.do === 'form')
    throw new AppError('server.unavailable');
  const setup = { reqUid: row.id, paymentMethodType: row.scheme, returnUrl: row.return_to };
  return action.do === 'redirect'
    ? { ...setup, config: {}, redirectToUrl: action.to }
    : { ...setup, config: { ...action.config } };
}
