/** Search: eventually consistent, so a new object is missing for a while. https://docs.stripe.com/search */
import type { Call } from './account.ts';
import { invalid } from './errors.ts';
import { visible } from './render.ts';

const clausePattern = /^(?:metadata\['([^']+)'\]|(status)):'([^']*)'$/;

/** Clauses `status:'…'` and `metadata['…']:'…'`, joined by AND. @throws {StripeFault} 400 on any other query */
export function searchPayments(call: Call, params: { readonly query: string }): object {
  const clauses = params.query.split(' AND ').map((part) => {
    const match = clausePattern.exec(part.trim());
    if (match === null) throw invalid('We were unable to parse your search query.', 'query');
    return { key: match[1], value: match[3] };
  });
  const visibleBefore = call.host.clock.now() - call.host.settings.searchDelayMs;
  const found = [...call.account.payments.newest()].filter(
    (intent) =>
      intent.created * 1000 <= visibleBefore &&
      clauses.every(({ key, value }) => (key === undefined ? intent.status : intent.metadata[key]) === value),
  );
  return {
    object: 'search_result',
    data: found.slice(0, 10).map((intent) => visible(intent)),
    has_more: false,
    next_page: null,
    url: '/v1/payment_intents/search',
  };
}
