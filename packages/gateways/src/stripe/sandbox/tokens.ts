/** `/v1/tokens`: what the card form turns a number into. https://docs.stripe.com/api/tokens */

import { newId } from '@counterfoil/sandbox/ids.ts';
import { ignored, type Read, required } from '@counterfoil/sandbox/params.ts';
import type { Call } from './account.ts';
import { cardFields, enterCard } from './card-entry.ts';
import { invalid } from './errors.ts';
import { common } from './lists.ts';
import { given, noBilling, refuseRawNumber } from './methods.ts';
import type { Token } from './objects.ts';
import { type Route, route } from './route.ts';

function create(call: Call, params: { readonly card: NonNullable<Read<typeof cardFields>> }): Token {
  const { card } = params;
  if (card.number === undefined || card.number === null) {
    throw invalid('Missing required param: card[number].', 'card[number]', 'parameter_missing');
  }
  refuseRawNumber(call);
  const entered = enterCard({ ...card, number: card.number }, new Date(call.host.clock.now()));
  const tok = newId('tok');
  const {
    checks: _checks,
    networks: _networks,
    three_d_secure_usage: _usage,
    display_brand: _display,
    generated_from: _from,
    ...shown
  } = entered.hash;
  const token: Token = {
    id: tok,
    object: 'token',
    card: {
      ...shown,
      id: newId('card'),
      object: 'card',
      brand: brandNames[String(shown['brand'])] ?? 'Unknown',
      address_city: card.address_city ?? null,
      address_country: card.address_country ?? null,
      address_line1: card.address_line1 ?? null,
      address_line1_check: null,
      address_line2: card.address_line2 ?? null,
      address_state: card.address_state ?? null,
      address_zip: card.address_zip ?? null,
      address_zip_check: null,
      cvc_check: null,
      dynamic_last4: null,
      metadata: {},
      name: card.name ?? null,
      tokenization_method: null,
    },
    client_ip: call.clientIp,
    created: call.host.clock.seconds(),
    livemode: false,
    type: 'card',
    used: false,
    _behaviour: entered.behaviour,
    _hash: entered.hash,
    _billing: {
      ...noBilling,
      ...given({ name: card.name }),
      address: {
        ...noBilling.address,
        ...given({
          line1: card.address_line1,
          line2: card.address_line2,
          city: card.address_city,
          state: card.address_state,
          postal_code: card.address_zip,
          country: card.address_country,
        }),
      },
    },
  };
  call.tx.put(call.account.tokens, tok, token);
  return token;
}

/** Tokens call the brands by their display names. */
const brandNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'MasterCard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

export const tokenRoutes: readonly Route[] = [
  route('POST', '/v1/tokens', { ...common, card: required(cardFields), customer: ignored }, create, {
    browser: true,
  }),
];
