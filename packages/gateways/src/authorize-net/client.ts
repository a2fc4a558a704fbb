/** Calls to Authorize.Net, and its transactions as they are read. */
import * as z from 'zod/mini';
import { type HttpReply, jsonOf, send } from '../kit/http.ts';
import { lendJson } from '../kit/json-body.ts';
import { describeFault } from '../kit/redact.ts';
import type { GatewayContext } from '../port/define-gateway.ts';
import type { Charge, ListedCharge, LookupResult } from '../port/gateway.ts';
import { isGatewayRef } from '../port/gateway-ref.ts';
import type { AuthorizeNetRole, AuthorizeNetSettings } from './manifest.ts';
import {
  batchesReply,
  type DetailsReply,
  detailsReply,
  envelope,
  faultOf,
  listedFrom,
  listReply,
  lookupFromDetails,
} from './replies.ts';
import type { WireBody } from './wire.ts';

export type Deps = GatewayContext<AuthorizeNetSettings, AuthorizeNetRole>;

/** Processors take 30 seconds and more. */
export const moneyTimeoutMs = 60_000;

export type Answer<Value> =
  | { readonly is: 'answer'; readonly value: Value }
  /** It was answered, and with nothing that was asked for: `code` of the service, `''` where there is none. */
  | { readonly is: 'refused'; readonly code: string; readonly detail: string }
  /** No answer that can be read. */
  | { readonly is: 'fault'; readonly reach: 'notSent' | 'sent'; readonly detail: string };

/** One request: its method's name without `Request`, our reference where it has one, its own keys in order. */
export interface Call {
  readonly method: string;
  readonly body: WireBody;
  readonly refId?: string;
  readonly timeoutMs?: number;
}

/** The document of a call: one root key, credentials first, our reference next. */
export const documentOf = ({ config }: Pick<Deps, 'config'>, { method, body, refId }: Call): WireBody => ({
  [`${method}Request`]: {
    merchantAuthentication: { name: config.apiLoginId, transactionKey: config.transactionKey },
    ...(refId === undefined ? {} : { refId }),
    ...body,
  },
});

/** Sends a call. `answer` is any answer of that shape: what it says is the caller's to read. Never throws. */
export async function ask<Schema extends z.ZodMiniType>(
  deps: Deps,
  call: Call,
  schema: Schema,
): Promise<Answer<z.output<Schema>>> {
  try {
    return await lendJson(documentOf(deps, call), async (bytes) =>
      readAnswer(await post(deps, bytes, call.timeoutMs), schema),
    );
  } catch (fault) {
    // A number that is none never leaves.
    return { is: 'fault', reach: 'notSent', detail: describeFault(fault) };
  }
}

/** Sends the bytes of a document. */
function post(deps: Deps, body: Uint8Array<ArrayBuffer>, timeoutMs?: number): Promise<HttpReply> {
  const longest = deps.timeoutMs ?? timeoutMs;
  return send(
    {
      method: 'POST',
      url: deps.addresses.api,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      ...(longest === undefined ? {} : { timeoutMs: longest }),
    },
    deps.fetch,
  );
}

/** HTTP says nothing: a page of an edge proxy is no JSON, and everything else is 200. */
function readAnswer<Schema extends z.ZodMiniType>(
  reply: HttpReply,
  schema: Schema,
): Answer<z.output<Schema>> {
  if (reply.is === 'fault') return reply;
  const body = jsonOf(reply.bytes);
  if (body.is === 'fault')
    return { is: 'fault', reach: 'sent', detail: `HTTP ${reply.status}: ${body.detail}` };
  const parsed = z.safeParse(schema, body.value);
  if (parsed.success) return { is: 'answer', value: parsed.data };
  const said = z.safeParse(envelope, body.value);
  return said.success && said.data.messages.resultCode === 'Error'
    ? { is: 'refused', ...faultOf(said.data) }
    : { is: 'fault', reach: 'sent', detail: 'an answer of another shape' };
}

/** The same, where anything but Ok is a refusal. */
export async function askOk<Schema extends z.ZodMiniType>(
  deps: Deps,
  call: Call,
  schema: Schema,
): Promise<Answer<z.output<Schema>>> {
  const answer = await ask(deps, call, schema);
  if (answer.is !== 'answer') return answer;
  const said = z.safeParse(envelope, answer.value);
  return said.success && said.data.messages.resultCode !== 'Ok'
    ? { is: 'refused', ...faultOf(said.data) }
    : answer;
}

// ---- Reading transactions: all of it needs the right to read them ----

export const readDetails = (deps: Deps, transId: string): Promise<Answer<DetailsReply>> =>
  askOk(deps, { method: 'getTransactionDetails', body: { transId } }, detailsReply);

/** Whether the details are those of a request with this reference: it stands as the invoice number too. */
export const isOurs = ({ transrefId, transaction }: DetailsReply, ref: string): boolean =>
  (transrefId ?? transaction.order?.invoiceNumber) === ref;

/** A charge by the service's id, where it carries our reference. */
export async function lookupById(deps: Deps, charge: Charge, transId: string): Promise<LookupResult> {
  const answer = await readDetails(deps, transId);
  if (answer.is !== 'answer') return notRead(answer);
  if (!isOurs(answer.value, charge.ref))
    return { is: 'inconclusive', why: 'the transaction carries another reference' };
  return lookupFromDetails(answer.value, deps.config.currency);
}

/** What could not be read: the network's fault may pass, a refusal closes this way. */
export const notRead = (answer: Exclude<Answer<unknown>, { is: 'answer' }>): LookupResult =>
  answer.is === 'fault'
    ? { is: 'unknown', evidence: answer.detail }
    : { is: 'inconclusive', why: answer.detail };

export type ListedTransaction = NonNullable<z.output<typeof listReply>['transactions']>[number];

const pageLength = 1_000;
const mostPages = 50;

async function* pagesOf(
  deps: Deps,
  method: string,
  body: WireBody,
): AsyncGenerator<readonly ListedTransaction[]> {
  for (let offset = 1; ; offset += 1) {
    if (offset > mostPages) throw new Error(`${method}: more than ${mostPages} pages`);
    const answer = await askOk(
      deps,
      {
        method,
        body: {
          ...body,
          sorting: { orderBy: 'submitTimeUTC', orderDescending: true },
          paging: { limit: pageLength, offset },
        },
      },
      listReply,
    );
    if (answer.is !== 'answer') throw new ListNotRead(answer);
    const rows = answer.value.transactions ?? [];
    yield rows;
    if (rows.length < pageLength) return;
  }
}

/** A list that could not be read whole: half a list would look like an absence. */
export class ListNotRead extends Error {
  override readonly name = 'ListNotRead';
  readonly result: LookupResult;
  /** The service's code; empty where it did not answer. */
  readonly code: string;
  constructor(answer: Exclude<Answer<unknown>, { is: 'answer' }>) {
    super(answer.detail);
    this.result = notRead(answer);
    this.code = answer.is === 'refused' ? answer.code : '';
  }
}

export interface Batch {
  readonly batchId: string;
  readonly settlementTimeUTC: string;
}

/** Longest time one list of batches spans. */
const spanMs = 31 * 24 * 60 * 60_000;
const seconds = (at: number): string => new Date(at).toISOString().replace(/\.\d+/, '');

/** Batches settled from a time until now, oldest first. @throws {ListNotRead} */
export async function settledBatches(deps: Deps, since: Date): Promise<readonly Batch[]> {
  const found = new Map<string, Batch>();
  const until = deps.clock.now().getTime();
  for (let from = since.getTime(); from < until; from += spanMs) {
    const body = {
      firstSettlementDate: seconds(from),
      lastSettlementDate: seconds(Math.min(from + spanMs, until)),
    };
    const answer = await askOk(deps, { method: 'getSettledBatchList', body }, batchesReply);
    if (answer.is !== 'answer') throw new ListNotRead(answer);
    for (const batch of answer.value.batchList ?? []) found.set(batch.batchId, batch);
  }
  return [...found.values()].sort((one, other) =>
    one.settlementTimeUTC === other.settlementTimeUTC
      ? one.batchId.localeCompare(other.batchId)
      : one.settlementTimeUTC.localeCompare(other.settlementTimeUTC),
  );
}

/** The transactions of a batch. @throws {ListNotRead} */
export async function transactionsOf(deps: Deps, batchId: string): Promise<readonly ListedTransaction[]> {
  const rows: ListedTransaction[] = [];
  for await (const page of pagesOf(deps, 'getTransactionList', { batchId })) rows.push(...page);
  return rows;
}

/** Pages of transactions that are not settled yet, the newest first, from a time on. @throws {ListNotRead} */
async function* unsettledSince(deps: Deps, from: number): AsyncGenerator<readonly ListedTransaction[]> {
  for await (const rows of pagesOf(deps, 'getUnsettledTransactionList', {})) {
    yield rows;
    if (Date.parse(rows.at(-1)?.submitTimeUTC ?? '') < from) return;
  }
}

/**
 * {@link Gateway.listCharges} of Authorize.Net: what is not settled yet, and settled batches; each by its details. Where the
 * account may not read its transactions, it cannot be done.
 * @throws {ListNotRead}
 */
export async function* listCharges(deps: Deps, since: Date): AsyncGenerator<ListedCharge> {
  const ids = new Set<string>();
  const take = (rows: readonly ListedTransaction[]): void => {
    for (const { transId, invoiceNumber } of rows) if (isGatewayRef(invoiceNumber ?? '')) ids.add(transId);
  };
  for await (const rows of unsettledSince(deps, since.getTime())) take(rows);
  for (const { batchId } of await settledBatches(deps, since)) take(await transactionsOf(deps, batchId));
  for (const id of ids) {
    const answer = await readDetails(deps, id);
    if (answer.is !== 'answer') throw new ListNotRead(answer);
    const listed = listedFrom(answer.value, deps.config.currency);
    if (listed !== undefined) yield listed;
  }
}

/** Clocks differ. */
const slackMs = 60 * 60_000;

/**
 * Transactions with this invoice number, from a little before `since` on: the unsettled ones, then settled batches.
 * @throws {ListNotRead}
 */
export async function findByInvoice(deps: Deps, invoice: string, since: Date): Promise<readonly string[]> {
  const from = since.getTime() - slackMs;
  const found: string[] = [];
  const take = (rows: readonly ListedTransaction[]): void => {
    for (const row of rows) if (row.invoiceNumber === invoice) found.push(row.transId);
  };
  for await (const rows of unsettledSince(deps, from)) take(rows);
  if (found.length > 0) return found;
  for (const { batchId } of await settledBatches(deps, new Date(from)))
    take(await transactionsOf(deps, batchId));
  return found;
}
