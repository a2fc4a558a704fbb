/** Search: eventually consistent, so a new object is missing for a while. https://docs.stripe.com/search */
import type { Call } from './account.ts';
import { invalid } from './errors.ts';
import type { PaymentIntent } from './objects.ts';
import { visible } from './render.ts';

interface Clause {
  readonly field: string;
  readonly operator: ':' | '~' | '>' | '<' | '>=' | '<=';
  readonly value: string;
  readonly negated: boolean;
}

const clausePattern =
  /^(-?)(metadata\[['"][^'"]+['"]\]|[a-z_]+)(:|~|>=|<=|>|<)(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(\d+)|(null))$/i;
const fields = ['amount', 'created', 'currency', 'customer', 'status'];

/** @throws {StripeFault} 400 on a query that cannot be read */
export function searchPayments(
  call: Call,
  params: { readonly query: string; readonly limit: number | undefined; readonly page: string | undefined },
): object {
  const clauses = parse(params.query);
  const isAny = /\sOR\s/i.test(params.query);
  const visibleBefore = call.host.clock.now() - call.host.settings.searchDelayMs;
  const limit = params.limit ?? 10;
  const skip = params.page === undefined ? 0 : Number(Buffer.from(params.page, 'base64url').toString('utf8'));
  if (!Number.isInteger(skip) || skip < 0) throw invalid('Invalid page', 'page');
  const found: PaymentIntent[] = [];
  for (const intent of call.account.payments.newest()) {
    if (intent.created * 1000 > visibleBefore) continue;
    const holds = (clause: Clause) => matches(intent, clause) !== clause.negated;
    if (isAny ? clauses.some(holds) : clauses.every(holds)) found.push(intent);
    if (found.length > skip + limit) break;
  }
  const page = found.slice(skip, skip + limit);
  const more = found.length > skip + limit;
  return {
    object: 'search_result',
    data: page.map((intent) => visible(intent)),
    has_more: more,
    next_page: more ? Buffer.from(String(skip + limit)).toString('base64url') : null,
    url: '/v1/payment_intents/search',
  };
}

function parse(query: string): Clause[] {
  if (/\sAND\s/i.test(query) && /\sOR\s/i.test(query)) {
    throw invalid('You cannot combine AND and OR in the same query.', 'query');
  }
  return query
    .trim()
    .split(/\s+(?:AND|OR)\s+/i)
    .map((part) => {
      const match = clausePattern.exec(part.trim());
      const field = match?.[2] ?? '';
      const known = field.startsWith('metadata[') || fields.includes(field);
      if (match === null || !known) throw invalid('We were unable to parse your search query.', 'query');
      const value = match[4] ?? match[5] ?? match[6] ?? '';
      return {
        field,
        operator: match[3] as Clause['operator'],
        value: value.replace(/\\(.)/g, '$1'),
        negated: match[1] === '-',
      };
    });
}

function matches(intent: PaymentIntent, { field, operator, value }: Clause): boolean {
  const key = /^metadata\[['"](.+)['"]\]$/.exec(field)?.[1];
  const actual =
    key === undefined
      ? intent[field as 'amount' | 'created' | 'currency' | 'customer' | 'status']
      : intent.metadata[key];
  if (actual === undefined || actual === null) return false;
  switch (operator) {
    case ':':
      return String(actual) === value;
    case '~':
      return String(actual).includes(value);
    case '>':
      return Number(actual) > Number(value);
    case '<':
      return Number(actual) < Number(value);
    case '>=':
      return Number(actual) >= Number(value);
    case '<=':
      return Number(actual) <= Number(value);
  }
}
