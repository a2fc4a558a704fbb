/** The calls of the sandbox's API: what each takes, checks and answers. */
import type { Operation } from '@counterfoil/sandbox/faults.ts';
import { pageOf } from '@counterfoil/sandbox/requests/paging.ts';
import type { Endpointed } from '@counterfoil/sandbox/requests/routes.ts';
import type { Collection } from '@counterfoil/sandbox/store.ts';
import {
  checkAccount,
  found,
  linked,
  metadataOf,
  only,
  part,
  text,
  wrongField,
  wrongState,
  wrongUse,
} from './sandbox-body.ts';
import { cancelPayment, makePayment, makeRefund, retryPayment, simulate } from './sandbox-calls.ts';
import {
  type BillingRequest,
  type Call,
  type Flow,
  idOf,
  type Json,
  schemes,
  shown,
} from './sandbox-data.ts';
import type { Work } from './sandbox-payments.ts';

export interface Route extends Endpointed {
  readonly operation?: Operation;
  /** Name of the resource, of bodies as of answers. */
  readonly envelope: string;
  /** It makes something, so that keys count. */
  readonly makes?: true;
  run(work: Work, call: Call): Json;
}

// ---- Lists ----

const compare: Readonly<Record<string, (at: string, other: string) => boolean>> = {
  'created_at[gt]': (at, other) => Date.parse(at) > Date.parse(other),
  'created_at[gte]': (at, other) => Date.parse(at) >= Date.parse(other),
  'created_at[lt]': (at, other) => Date.parse(at) < Date.parse(other),
  'created_at[lte]': (at, other) => Date.parse(at) <= Date.parse(other),
};

/** A page, newest first. Filters are links by their names, `status`, and times of creation. */
function list<T extends { readonly id: string; readonly created_at: string }>(
  envelope: string,
  all: Collection<T>,
  query: URLSearchParams,
  filters: Readonly<Record<string, (value: T, wanted: string) => boolean>>,
  show: (value: T) => Json = shown,
): Json {
  const limit = Number(query.get('limit') ?? '50');
  if (!Number.isInteger(limit) || limit < 1 || limit > 500)
    throw wrongUse(400, 'bad_request', 'limit must be from 1 to 500');
  const wanted: ((value: T) => boolean)[] = [];
  for (const [name, value] of query) {
    const isTime = compare[name];
    const filter = filters[name];
    if (isTime !== undefined) wanted.push((one) => isTime(one.created_at, value));
    else if (filter !== undefined) wanted.push((one) => filter(one, value));
    else if (!['limit', 'after', 'before'].includes(name))
      throw wrongUse(400, 'bad_request', `there is no filter ${name}`);
  }
  const [after, before] = [query.get('after') ?? undefined, query.get('before') ?? undefined];
  const { items, hasMore } = pageOf(all, { limit, after, before }, (value) =>
    wanted.every((fits) => fits(value)),
  );
  const cursors = {
    before: after === undefined ? null : (items[0]?.id ?? null),
    after: hasMore ? (items.at(-1)?.id ?? null) : null,
  };
  return { [envelope]: items.map(show), meta: { cursors, limit } };
}

const byStatus = ({ status }: { readonly status: string }, wanted: string) =>
  wanted.split(',').includes(status);

// ---- Billing requests ----

const steps = ['collect_customer_details', 'collect_bank_account', 'confirm_payer_details'];

function showRequest(request: BillingRequest): Json {
  const isDone = (type: string) => request._done.includes(type) || request.status === 'fulfilled';
  const actions = steps.map((type) => ({
    type,
    required: true,
    status: isDone(type) ? 'completed' : 'pending',
    requires_actions: type === 'confirm_payer_details' ? steps.slice(0, 2) : [],
    completes_actions: [],
  }));
  return Object.assign(shown(request), { actions, resources: {} });
}

function makeRequest(work: Work, { body }: Call): Json {
  only(body, 'billing_requests', 'mandate_request links metadata fallback_enabled');
  const wanted = part(body['mandate_request']);
  only(wanted, 'mandate_request', 'currency scheme verify description metadata');
  const metadata = metadataOf(body['metadata'], 'billing_requests');
  const name = text(wanted['scheme']);
  const scheme = schemes[name];
  const pointer = '/billing_requests/mandate_request';
  if (scheme === undefined) throw wrongField(`${pointer}/scheme`, 'is not included in the list');
  if (wanted['currency'] !== scheme.currency)
    throw wrongField(`${pointer}/currency`, 'does not belong to the scheme');
  const links = part(body['links']);
  const customer = text(links['customer']);
  if (customer !== '') linked(work.records.customers.get(customer), 'customer');
  const verify = text(wanted['verify']) || 'recommended';
  const mandate_request = { currency: scheme.currency, scheme: name, verify };
  const request = work.once(() => work.request({ mandate_request, metadata }, customer || undefined));
  return { billing_requests: showRequest(request) };
}

function act(work: Work, { id, name, body }: Call): Json {
  let request = found(work.records.requests.get(id));
  if (request.status === 'fulfilled' || request.status === 'cancelled')
    throw wrongState('billing_request_not_pending', 'The billing request has ended');
  const done = (more: Partial<BillingRequest> = {}) => {
    const _done = [...new Set([...request._done, name])];
    const status = steps.every((each) => _done.includes(each)) ? 'ready_to_fulfil' : 'pending';
    request = work.change(request, Object.assign({ status, _done }, more));
  };
  switch (name) {
    case 'collect_customer_details': {
      const { given_name, family_name, email } = part(body['customer']);
      const names = { given_name: text(given_name), family_name: text(family_name), email: text(email) };
      work.nameCustomer(request.links.customer, names);
      done();
      break;
    }
    case 'collect_bank_account': {
      const account = work.account(request, checkAccount(request, body));
      done({ links: Object.assign({ ...request.links }, { customer_bank_account: account.id }) });
      break;
    }
    case 'confirm_payer_details':
      if (!steps.slice(0, 2).every((each) => request._done.includes(each)))
        throw wrongState('action_not_ready', 'Other actions come first');
      done();
      break;
    case 'fulfil':
      if (request.status !== 'ready_to_fulfil')
        throw wrongState('billing_request_not_ready_to_fulfil', 'Actions are missing');
      request = work.fulfil(request, request.links.customer_bank_account ?? '');
      break;
    case 'cancel':
      request = work.change(request, { status: 'cancelled' });
      break;
    default:
      throw wrongUse(404, 'path_not_found', 'There is no such action');
  }
  return { billing_requests: showRequest(request) };
}

const weekMs = 7 * 24 * 60 * 60_000;

function makeFlow(work: Work, { body }: Call, publicUrl: (id: string) => string): Json {
  only(
    body,
    'billing_request_flows',
    'redirect_uri exit_uri prefilled_customer lock_currency links auto_fulfil',
  );
  const request = linked(
    work.records.requests.get(text(part(body['links'])['billing_request'])),
    'billing_request',
  );
  for (const name of ['redirect_uri', 'exit_uri'])
    if (!/^https?:\/\/\S+$/.test(text(body[name])))
      throw wrongField(`/billing_request_flows/${name}`, 'must be a valid URI');
  const id = idOf('BRF');
  const prefilled = Object.fromEntries(
    Object.entries(part(body['prefilled_customer'])).map(([name, value]) => [name, text(value)]),
  );
  const { now } = work;
  const flow: Flow = {
    id,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + weekMs).toISOString(),
    authorisation_url: publicUrl(id),
    redirect_uri: text(body['redirect_uri']),
    exit_uri: text(body['exit_uri']),
    session_token: null,
    prefilled,
    links: { billing_request: request.id },
  };
  work.keepFlow(flow);
  const { prefilled: prefilled_customer, ...rest } = flow;
  return { billing_request_flows: Object.assign(rest, { prefilled_customer }) };
}

// ---- Mandates and accounts ----

function cancelMandate(work: Work, { id }: Call): Json {
  const mandate = found(work.records.mandates.get(id));
  if (!['pending_submission', 'submitted', 'active', 'suspended_by_payer'].includes(mandate.status))
    throw wrongState('cancellation_failed', 'Mandate cannot be cancelled');
  return { mandates: shown(work.setMandate(mandate, 'cancelled')) };
}

function disable(work: Work, { id }: Call): Json {
  const account = found(work.records.accounts.get(id));
  if (!account.enabled) throw wrongState('bank_account_disabled', 'The bank account is disabled');
  return { customer_bank_accounts: shown(work.disableAccount(account)) };
}

// ---- The table ----

const read = (
  path: string,
  envelope: string,
  show: (work: Work, id: string) => object | undefined,
  operation: Operation = 'find',
): Route => ({
  method: 'GET',
  path: `${path}/:id`,
  envelope,
  operation,
  run: (work, { id }) => ({ [envelope]: shown(found(show(work, id))) }),
});
const post = (path: string, envelope: string, run: Route['run']): Route => ({
  method: 'POST',
  path,
  envelope,
  run,
});
const lists = (envelope: string, run: Route['run'], operation?: Operation): Route => ({
  method: 'GET',
  path: `/${envelope}`,
  envelope,
  run,
  ...(operation === undefined ? {} : { operation }),
});

const creditor = (work: Work): Json => ({
  id: `CR${work.name.toUpperCase()}`,
  name: 'Example Telecom',
  can_create_refunds: true,
  verification_status: 'successful',
});

export const routes: readonly Route[] = [
  lists('creditors', (work) => ({
    creditors: [creditor(work)],
    meta: { cursors: { before: null, after: null }, limit: 50 },
  })),
  {
    method: 'GET',
    path: '/creditors/:id',
    envelope: 'creditors',
    run: (work, { id }) => {
      const own = creditor(work);
      return { creditors: found(own['id'] === id ? own : undefined) };
    },
  },
  { ...post('/billing_requests', 'billing_requests', makeRequest), makes: true, operation: 'save' },
  {
    method: 'GET',
    path: '/billing_requests/:id',
    envelope: 'billing_requests',
    run: (work, { id }) => ({ billing_requests: showRequest(found(work.records.requests.get(id))) }),
  },
  post('/billing_requests/:id/actions/:name', 'data', act),
  {
    ...post('/billing_request_flows', 'billing_request_flows', (work, call) =>
      makeFlow(work, call, (id) => work.pageOf(id)),
    ),
    makes: true,
  },
  lists('mandates', (work, { query }) =>
    list('mandates', work.records.mandates, query, {
      customer: ({ links }, wanted) => links.customer === wanted,
      customer_bank_account: ({ links }, wanted) => links.customer_bank_account === wanted,
      status: byStatus,
    }),
  ),
  read('/mandates', 'mandates', (work, id) => work.records.mandates.get(id)),
  post('/mandates/:id/actions/cancel', 'data', cancelMandate),
  lists('customer_bank_accounts', (work, { query }) =>
    list('customer_bank_accounts', work.records.accounts, query, {
      customer: ({ links }, wanted) => links.customer === wanted,
    }),
  ),
  read('/customer_bank_accounts', 'customer_bank_accounts', (work, id) => work.records.accounts.get(id)),
  post('/customer_bank_accounts/:id/actions/disable', 'data', disable),
  { ...post('/payments', 'payments', makePayment), makes: true, operation: 'charge' },
  lists(
    'payments',
    (work, { query }) =>
      list('payments', work.records.payments, query, {
        mandate: ({ links }, wanted) => links.mandate === wanted,
        status: byStatus,
      }),
    'find',
  ),
  read('/payments', 'payments', (work, id) => work.records.payments.get(id)),
  post('/payments/:id/actions/cancel', 'data', cancelPayment),
  post('/payments/:id/actions/retry', 'data', retryPayment),
  { ...post('/refunds', 'refunds', makeRefund), makes: true, operation: 'refund' },
  lists(
    'refunds',
    (work, { query }) =>
      list('refunds', work.records.refunds, query, {
        payment: ({ links }, wanted) => links.payment === wanted,
      }),
    'find',
  ),
  read('/refunds', 'refunds', (work, id) => work.records.refunds.get(id)),
  lists('events', (work, { query }) =>
    list('events', work.records.events, query, {
      payment: ({ links }, wanted) => links['payment'] === wanted,
      action: ({ action }, wanted) => action === wanted,
      resource_type: ({ resource_type: type }, wanted) => type === wanted,
    }),
  ),
  post('/scenario_simulators/:id/actions/run', 'data', simulate),
];
