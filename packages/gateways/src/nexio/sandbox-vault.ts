/** The vault of Nexio's sandbox: one-time tokens, and the cards and accounts that are saved with them. */
import { randomUUID } from 'node:crypto';
import type { SandboxHost } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { isRoutingNumber } from '@counterfoil/sandbox/money/bank-account.ts';
import { passesLuhn } from '@counterfoil/sandbox/pages/card-frame/card-rules.ts';
import type { Answer } from '@counterfoil/sandbox/requests/exchange.ts';
import type { Turn } from '@counterfoil/sandbox/turn.ts';
import {
  type Bank,
  type Call,
  type Card,
  cardNumberIn,
  decrypted,
  expiryIn,
  type Json,
  json,
  merchantIn,
  need,
  OTU_MS,
  type Otu,
  object,
  Refusal,
  type Route,
  recordsOf,
  textIn,
  typeOf,
} from './sandbox-data.ts';

export function vaultOf(host: SandboxHost) {
  const { otus, cards, banks } = recordsOf(host);
  const now = () => host.clock.now();

  function newOtu({ turn, account, body }: Call): Answer {
    const options = object(body['processingOptions']);
    merchantIn(options);
    const token = randomUUID();
    const until = now() + OTU_MS;
    turn.tx.put(otus, token, { account, until, isUsed: false, data: object(body['data']), options });
    const expiration = new Date(until).toISOString();
    return json(200, {
      expiration,
      token,
      fraudUrl: `${host.publicUrl}/nexio/pay/v3/fingerprint?token=${token}`,
    });
  }

  /** Uses a one-time token up, whatever comes of the call. */
  function useOtu(turn: Turn, body: Json): Otu {
    const token = need(body, 'token');
    const otu = otus.get(token);
    if (otu === undefined || otu.isUsed || otu.until < now())
      throw new Refusal(403, 'The token is not valid');
    turn.tx.put(otus, token, { ...otu, isUsed: true });
    return otu;
  }

  /** A save that fails has used its token up all the same. */
  function using(turn: Turn, body: Json, keep: (otu: Otu) => Answer): Answer {
    const otu = useOtu(turn, body);
    try {
      return keep(otu);
    } catch (error) {
      throw error instanceof Refusal ? error.begun() : error;
    }
  }

  /** What was said with the token, and what is said now. */
  const customerIn = (otu: Otu, body: Json): Json =>
    Object.assign({}, object(otu.data['customer']), object(object(body['data'])['customer']));

  function cvcOf(otu: Otu, card: Json): Json {
    if (otu.options['verifyCvc'] !== true) return {};
    const code = card['securityCode'];
    if (code === '333') return { cvcResults: { matchCvv: false, error: true, gatewayMessage: {} } };
    if (code === '111') return { cvcResults: { matchCvv: true, error: false, gatewayMessage: {} } };
    const cvcResults = { matchCvv: false, error: false, gatewayMessage: { message: 'no match' } };
    throw new Refusal(437, code === '222' ? 'Verify CVC failed' : 'Invalid CVC', { cvcResults });
  }

  const cardBody = ({
    token,
    firstSix,
    lastFour,
    cardType,
    month,
    year,
    holder,
    customer,
    merchantId,
  }: Card) => ({
    merchantId,
    shouldUpdateCard: true,
    card: { cardHolderName: holder, expirationMonth: month, expirationYear: year, cardType },
    token: { firstSix, lastFour, token, cardType },
    data: { customer },
  });

  /** @param holder of a card that is typed into the frame, which insists on no name */
  function keepCard(turn: Turn, otu: Otu, body: Json, number: string, holder?: string): Answer {
    const card = object(body['card']);
    const { month, year } = expiryIn(card, now());
    const results = cvcOf(otu, card);
    const kept: Card = {
      token: randomUUID(),
      account: otu.account,
      merchantId: merchantIn(otu.options),
      firstSix: number.slice(0, 6),
      lastFour: number.slice(-4),
      cardType: typeOf(number),
      month,
      year,
      holder: holder ?? need(card, 'cardHolderName'),
      customer: customerIn(otu, body),
      at: now(),
    };
    turn.tx.put(cards, kept.token, kept);
    return json(200, Object.assign(cardBody(kept), results));
  }

  const bankBody = ({ token, lastFour, holder, routingNumber, customer }: Bank) => ({
    bank: { accountHolderName: holder, routingNumber },
    token: { token, lastFour },
    data: { customer },
  });

  function keepBank(turn: Turn, otu: Otu, body: Json, number: string, holder?: string): Answer {
    const bank = object(body['bank']);
    const routingNumber = need(bank, 'routingNumber');
    if (!isRoutingNumber(routingNumber)) throw new Refusal(400, 'The routing number is not valid');
    if (!/^\d{4,17}$/.test(number)) throw new Refusal(400, 'The account number is not valid');
    const kept: Bank = {
      token: randomUUID(),
      account: otu.account,
      routingNumber,
      lastFour: number.slice(-4),
      holder: holder ?? need(bank, 'accountHolderName'),
      customer: customerIn(otu, body),
    };
    turn.tx.put(banks, kept.token, kept);
    return json(200, bankBody(kept));
  }

  function saveCard({ turn, body }: Call): Answer {
    return using(turn, body, (otu) => keepCard(turn, otu, body, cardNumberIn(object(body['card']))));
  }

  function saveBank({ turn, body }: Call): Answer {
    return using(turn, body, (otu) => {
      const number = decrypted(need(object(body['bank']), 'encryptedBankAccountNumber'));
      if (number === undefined) throw new Refusal(400, 'The account number is not valid');
      return keepBank(turn, otu, body, number);
    });
  }

  /** The provider's own page: the number goes to it in clear. */
  function frameEntered({ turn, body }: Call): Answer {
    const [card, bank] = [object(body['card']), object(body['bank'])];
    const number = String(card['number'] ?? bank['accountNumber'] ?? '').replace(/[ -]/g, '');
    return using(turn, body, (otu) => {
      if (body['bank'] !== undefined)
        return keepBank(turn, otu, body, number, textIn(bank, 'accountHolderName') ?? '');
      if (!/^\d{12,19}$/.test(number) || !passesLuhn(number))
        throw new Refusal(400, 'The card number is not valid');
      return keepCard(turn, otu, body, number, textIn(card, 'cardHolderName') ?? '');
    });
  }

  const cardOf = (account: string, token: string): Card => {
    const card = cards.get(token);
    if (card === undefined || card.account !== account) throw new Refusal(404, 'Token not found');
    return card;
  };

  function changeCard({ turn, account, body, variables: [token = ''] }: Call): Answer {
    const known = cardOf(account, token);
    const card = object(body['card']);
    const given = Object.assign({ expirationMonth: known.month, expirationYear: known.year }, card);
    const { month, year } = expiryIn(given, now());
    const customer = Object.assign({}, known.customer, object(object(body['data'])['customer']));
    const next: Card = {
      ...known,
      month,
      year,
      holder: textIn(card, 'cardHolderName') ?? known.holder,
      customer,
    };
    turn.tx.put(cards, token, next);
    return json(200, cardBody(next));
  }

  function listCards({ account, query }: Call): Answer {
    const [limit, offset] = [Number(query.get('limit') ?? 10), Number(query.get('offset') ?? 0)];
    const all = [...cards.newest()].filter(
      (card) =>
        card.account === account &&
        (query.get('customerRef') === null || card.customer['customerRef'] === query.get('customerRef')),
    );
    const rows = all.slice(offset, offset + limit).map((card) => ({
      key: card.token.slice(0, 6),
      merchantId: card.merchantId,
      customerRef: card.customer['customerRef'],
      expirationMonth: card.month,
      expirationYear: card.year,
      cardType: card.cardType,
      firstSix: card.firstSix,
      lastFour: card.lastFour,
      token: card.token,
      cardHolderName: card.holder,
      createdAt: new Date(card.at).toISOString(),
    }));
    return json(200, { limit, offset, hasMore: offset + limit < all.length, rows });
  }

  function deleteTokens({ turn, account, body }: Call): Answer {
    const tokens = Array.isArray(body['tokens']) ? body['tokens'].map(String) : [];
    if (tokens.length === 0) throw new Refusal(400, 'tokens is required');
    for (const token of tokens) {
      cardOf(account, token);
      turn.tx.remove(cards, token);
    }
    return json(200, {});
  }

  const bankAt = (account: string, token: string): Bank => {
    const bank = banks.get(token);
    if (bank === undefined || bank.account !== account) throw new Refusal(404, 'Token not found');
    return bank;
  };

  const routes: readonly Route[] = [
    { method: 'POST', path: '/pay/v3/token', run: newOtu },
    { method: 'POST', path: '/pay/v3/saveCard', isOpen: true, operation: 'save', run: saveCard },
    { method: 'POST', path: '/pay/v3/saveECheck', isOpen: true, operation: 'save', run: saveBank },
    { method: 'POST', path: '/frame/entered', isOpen: true, operation: 'save', run: frameEntered },
    {
      method: 'GET',
      path: '/pay/v3/vault/card/:token',
      run: ({ account, variables: [token = ''] }) => json(200, cardBody(cardOf(account, token))),
    },
    { method: 'PUT', path: '/pay/v3/vault/card/:token', operation: 'save', run: changeCard },
    {
      method: 'GET',
      path: '/pay/v3/vault/echeck/:token',
      run({ account, variables: [token = ''] }) {
        const { token: inner, ...others } = bankBody(bankAt(account, token));
        return json(200, Object.assign(others, { tokenex: inner }));
      },
    },
    { method: 'GET', path: '/card/v3', run: listCards },
    { method: 'POST', path: '/pay/v3/deleteToken', run: deleteTokens },
  ];
  return { routes, cardOf, bankOf: bankAt };
}
