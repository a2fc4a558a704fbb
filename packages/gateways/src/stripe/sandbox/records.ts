/** Reading what happened: charges, disputes, events. */

import { flag, id, list, text } from '@counterfoil/sandbox/params.ts';
import { missing } from './errors.ts';
import { common, created, isWithin, listOf, paging } from './lists.ts';

import { type Route, route } from './route.ts';

export const recordRoutes: readonly Route[] = [
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
];

function wanted(type: string, patterns: readonly string[]): boolean {
  return patterns.some(
    (pattern) =>
      pattern === '*' ||
      pattern === type ||
      (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );
}
