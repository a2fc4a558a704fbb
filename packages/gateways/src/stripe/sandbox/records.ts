/** Reading what happened: charges, disputes, events; and webhook endpoints. */
import { randomBytes } from 'node:crypto';
import { type Call, gateway } from './account.ts';
import { invalid, missing } from './errors.ts';
import { webAddress } from './intents.ts';
import { isWithin, listOf } from './lists.ts';
import { common, created, flag, id, ignored, list, metadata, paging, required, text } from './params.ts';
import { type Route, route } from './route.ts';

function endpointOf(call: Call, name: string) {
  const found = call.host.webhooks
    .endpoints(gateway)
    .find((known) => known.id === name && known.account === call.account.id);
  if (found === undefined) throw missing('webhook endpoint', name, 'id', true);
  return {
    id: found.id,
    object: 'webhook_endpoint',
    api_version: null,
    application: null,
    created: 0,
    description: null,
    enabled_events: found.events ?? ['*'],
    livemode: false,
    metadata: {},
    status: 'enabled',
    url: found.url,
  };
}

export const recordRoutes: readonly Route[] = [
  route(
    'GET',
    '/v1/charges',
    { ...paging, created, customer: id(), payment_intent: id(), transfer_group: ignored },
    (call, params) =>
      listOf(
        '/v1/charges',
        call.account.charges,
        params,
        (charge) =>
          isWithin(charge.created, params.created) &&
          (params.customer === undefined || charge.customer === params.customer) &&
          (params.payment_intent === undefined || charge.payment_intent === params.payment_intent),
      ),
    { operation: 'find' },
  ),
  route(
    'GET',
    '/v1/charges/:id',
    common,
    (call, _params, ch = '') => {
      const charge = call.account.charges.get(ch);
      if (charge === undefined) throw missing('charge', ch, 'id', true);
      return charge;
    },
    { operation: 'find' },
  ),
  route('GET', '/v1/disputes', { ...paging, charge: id(), created, payment_intent: id() }, (call, params) =>
    listOf(
      '/v1/disputes',
      call.account.disputes,
      params,
      (dispute) =>
        isWithin(dispute.created, params.created) &&
        (params.charge === undefined || dispute.charge === params.charge) &&
        (params.payment_intent === undefined || dispute.payment_intent === params.payment_intent),
    ),
  ),
  route('GET', '/v1/disputes/:id', common, (call, _params, du = '') => {
    const dispute = call.account.disputes.get(du);
    if (dispute === undefined) throw missing('dispute', du, 'id', true);
    return dispute;
  }),
  route(
    'GET',
    '/v1/events',
    { ...paging, created, type: text(100), types: list(id()), delivery_success: flag },
    (call, params) => {
      const page = listOf(
        '/v1/events',
        call.account.events,
        params,
        (event) =>
          isWithin(event.created, params.created) &&
          (params.type == null || wanted(event.type, [params.type])) &&
          (params.types === undefined || wanted(event.type, params.types)),
      );
      const data = (page['data'] as { readonly json: string }[]).map((event): unknown =>
        JSON.parse(event.json),
      );
      return { ...page, data };
    },
  ),
  route('GET', '/v1/events/:id', common, (call, _params, evt = '') => {
    const event = call.account.events.get(evt);
    if (event === undefined) throw missing('event', evt, 'id', true);
    return JSON.parse(event.json) as object;
  }),
  route('GET', '/v1/account', common, (call) => ({
    id: call.account.id,
    object: 'account',
    charges_enabled: true,
    country: 'US',
    default_currency: 'usd',
    details_submitted: true,
    email: null,
    livemode: false,
    payouts_enabled: true,
    type: 'standard',
  })),
  route('GET', '/v1/balance', common, () => ({
    object: 'balance',
    available: [],
    livemode: false,
    pending: [],
  })),
  route(
    'POST',
    '/v1/webhook_endpoints',
    {
      ...common,
      url: required(webAddress),
      enabled_events: required(list(id(), 500)),
      api_version: text(40),
      connect: flag,
      description: text(),
      metadata,
    },
    (call, params) => {
      if (params.enabled_events.length === 0)
        throw invalid('You must give at least one event.', 'enabled_events');
      const secret = `whsec_${randomBytes(24).toString('hex')}`;
      const endpoint = call.host.webhooks.register(call.tx, {
        gateway,
        account: call.account.id,
        url: params.url,
        secret,
        events: params.enabled_events,
      });
      return { ...endpointOf(call, endpoint.id), secret };
    },
  ),
  route('GET', '/v1/webhook_endpoints', paging, (call) => ({
    object: 'list',
    data: call.host.webhooks
      .endpoints(gateway)
      .filter((known) => known.account === call.account.id)
      .map((known) => endpointOf(call, known.id)),
    has_more: false,
    url: '/v1/webhook_endpoints',
  })),
  route('GET', '/v1/webhook_endpoints/:id', common, (call, _params, we = '') => endpointOf(call, we)),
  route('DELETE', '/v1/webhook_endpoints/:id', common, (call, _params, we = '') => {
    endpointOf(call, we);
    call.host.webhooks.remove(call.tx, we);
    return { id: we, object: 'webhook_endpoint', deleted: true };
  }),
];

function wanted(type: string, patterns: readonly string[]): boolean {
  return patterns.some(
    (pattern) =>
      pattern === '*' ||
      pattern === type ||
      (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );
}
