/** The two services of IPpay that the server speaks to: the gateway, and Reporting, which tells what became of money later. */
import { type Money, parseMoney } from '@counterfoil/domain/money/money.ts';
import { type GatewayRequest, send } from '../kit/http.ts';
import { redact } from '../kit/redact.ts';
import { childOf, lendXml, readXml, type XmlElement, type XmlNode } from '../kit/xml.ts';
import type { GatewayContext, GatewayLog } from '../port/define-gateway.ts';
import type {
  Charge,
  GatewayEvent,
  GatewayState,
  ListedCharge,
  MethodKind,
  Outcome,
  Refund,
  Reversal,
} from '../port/gateway.ts';
import { isGatewayRef, remoteId } from '../port/gateway-ref.ts';
import { answerWithinMs, hasReporting, type IppayRole, type IppaySettings } from './manifest.ts';
import { type Answer, isVoided, readReply, requestOf, stateOf, type Token, textIn, tokenIn } from './wire.ts';

export type IppayContext = GatewayContext<IppaySettings, IppayRole>;

/** Lists of Reporting: charges and refunds of cards, debits, what banks have settled and returned, chargebacks of cards. */
type ReportType = 'credit' | 'ach' | 'achsettlement' | 'achrejects' | 'ccchargebacks';

/** A transaction in a list, by name. */
interface ReportRow {
  readonly of: (name: string) => string | undefined;
}

type Report =
  | { readonly is: 'rows'; readonly rows: readonly ReportRow[] }
  /** `refused`: its keys, or the request. */
  | { readonly is: 'refused' | 'unreachable'; readonly detail: string };

export interface Ippay {
  readonly config: IppaySettings;
  readonly log: GatewayLog;
  /** Where the hosted page takes its form. */
  readonly pageUrl: string;
  now(): Date;
  /** Sends a message to the gateway. Never throws, never repeats. */
  ask(message: XmlNode): Promise<Answer>;
  /** Reads a list whole: what happened from a day before `from` on, for the service names no time zone. */
  report(type: ReportType, from: Date): Promise<Report>;
}

const dayMs = 24 * 60 * 60_000;
/** A list of some weeks is longer than an answer to a message. */
const longestList = 16 * 1024 * 1024;
/** `2026-01-15T00:00:00`. */
const reportTime = (at: Date): string => at.toISOString().slice(0, 19);

const reportRequest = (settings: IppaySettings, type: ReportType, from: Date, until: Date): XmlNode => [
  'ippayReport',
  [
    ['MerchantID', settings.reportingMerchantId],
    ['Password', settings.reportingPassword],
    [
      'TransactionRange',
      [
        ['TransactionType', type],
        ['TransactionStartTime', reportTime(from)],
        ['TransactionEndTime', reportTime(until)],
      ],
    ],
  ],
];

export function ippay({ config, addresses, clock, log, fetch, timeoutMs }: IppayContext): Ippay {
  const isTest = config.environment === 'test';
  const limit = Math.min(answerWithinMs, timeoutMs ?? answerWithinMs);
  const post = (url: string, message: XmlNode, more: Partial<GatewayRequest> = {}) => {
    const headers = { 'content-type': 'text/xml; charset=iso-8859-1' };
    const request = { method: 'POST', url, headers, timeoutMs: limit, ...more } as const;
    return lendXml(message, (body) => send({ ...request, body }, fetch));
  };
  return {
    config,
    log,
    pageUrl: isTest ? addresses.hppTest : addresses.hpp,
    now: () => clock.now(),
    async ask(message) {
      const answer = await post(isTest ? addresses.apiTest : addresses.api, message);
      if (answer.is === 'fault') return answer;
      // Declines and mistakes are answered 200 too: anything else is not the gateway's word.
      if (answer.status !== 200) return { is: 'fault', reach: 'sent', detail: `status ${answer.status}` };
      const reading = readReply(answer.bytes);
      return reading.is === 'reply' ? reading : { is: 'fault', reach: 'sent', detail: reading.detail };
    },
    async report(type, from) {
      if (!hasReporting(config)) return { is: 'refused', detail: 'there is no Reporting account' };
      const since = new Date(from.getTime() - dayMs);
      const until = new Date(clock.now().getTime() + dayMs);
      const message = reportRequest(config, type, since, until);
      const answer = await post(isTest ? addresses.reportTest : addresses.report, message, {
        maxBytes: longestList,
      });
      if (answer.is === 'fault') return { is: 'unreachable', detail: answer.detail };
      if (answer.status !== 200) return { is: 'unreachable', detail: `status ${answer.status}` };
      return readReport(answer.bytes);
    },
  };
}

const roots: ReadonlySet<string> = new Set(['ippayresponse', 'ippayreport']);
const nothing = /no results/i;

/** Bytes of a list. One that is neither a list nor says that it is empty is no answer. */
function readReport(bytes: Uint8Array): Report {
  const xml = readXml(
    Buffer.from(bytes)
      .toString('utf8')
      .replace(/^\uFEFF/, ''),
  );
  if (xml.is === 'fault') return { is: 'unreachable', detail: xml.detail };
  const { root } = xml;
  if (!roots.has(root.name.toLowerCase())) return { is: 'unreachable', detail: `root ${redact(root.name)}` };
  const problem = textIn(root, 'ErrMsg');
  if (problem !== undefined) return { is: 'refused', detail: redact(problem) };
  const list = childOf(root, 'Transactions');
  if (list === undefined || list.children.length === 0) {
    const isEmpty = [root, ...(list === undefined ? [] : [list])].some(({ text }) => nothing.test(text));
    return isEmpty ? { is: 'rows', rows: [] } : { is: 'unreachable', detail: 'the answer holds no list' };
  }
  return { is: 'rows', rows: list.children.filter(({ name }) => name === 'Transaction').map(rowOf) };
}

const rowOf = (element: XmlElement): ReportRow => ({ of: (name) => textIn(element, name) });

export const referenceOf = (row: ReportRow): string => row.of('Transaction_ID')?.toUpperCase() ?? '';

/** Amount of a row as it stands there, in dollars; undefined where it has no point and might be cents. */
function amountOf(text: string | undefined): Money | undefined {
  return text !== undefined && /^\d{1,12}\.\d\d0*$/.test(text) ? parseMoney(text, 'USD') : undefined;
}

/** When the gateway took a transaction in: a letter, then the time, to milliseconds. */
function timeOf(row: ReportRow): Date | undefined {
  const [, day, hours, minutes, seconds] =
    /^[A-Z](\d{8})(\d\d)(\d\d)(\d\d)\d{3}$/.exec(row.of('ipTransID') ?? '') ?? [];
  if (day === undefined) return undefined;
  const at = new Date(
    `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${hours}:${minutes}:${seconds}Z`,
  );
  return Number.isNaN(at.getTime()) ? undefined : at;
}

// ---- What became of payments: what banks settle and return, chargebacks, and all there is after a restored backup ----

/** A code of the bank's association (NACHA), `R01` for insufficient funds. */
const returnCode = (row: ReportRow): string =>
  /\b[RC]\d\d\b/i.exec(row.of('Status') ?? '')?.[0] ?? 'returned';

const rowsOf = async (api: Ippay, type: ReportType, from: Date): Promise<readonly ReportRow[] | string> => {
  const report = await api.report(type, from);
  return report.is === 'rows' ? report.rows : report.detail;
};

const returnTexts: Readonly<Record<string, string>> = {
  R01: 'Your bank returned the debit: insufficient funds.',
  R02: 'Your bank returned the debit: the account is closed.',
  R03: 'Please check the routing and account number.',
  R04: 'Please check the routing and account number.',
};

/**
 * What became of a debit, or of a refund to an account, that was accepted. Accepted is no money: it is settled, or returned,
 * days later.
 */
export async function becameOf(
  api: Ippay,
  { ref, amount, sentAt }: Pick<Charge | Refund, 'ref' | 'amount' | 'sentAt'>,
  token: Token,
): Promise<Outcome> {
  const remote = remoteId(ref);
  const pending: Outcome = { is: 'pending', because: 'bank', remote, state: stateOf(token) };
  const rejects = await rowsOf(api, 'achrejects', sentAt);
  if (typeof rejects === 'string') return pending;
  const returned = rejects.find((row) => referenceOf(row) === ref);
  if (returned !== undefined) {
    const code = returnCode(returned);
    const text = returnTexts[code] ?? 'Your bank returned the debit.';
    return {
      is: 'declined',
      why: { class: code === 'R01' ? 'retryLater' : 'otherMethod', code, text },
      remote,
    };
  }
  const settled = await rowsOf(api, 'achsettlement', sentAt);
  if (typeof settled === 'string' || !settled.some((row) => referenceOf(row) === ref)) return pending;
  const state = { ...stateOf(token), at: sentAt.toISOString() };
  return { is: 'succeeded', remote, captured: amount, state };
}

/** All that became of a payment that was taken. */
export async function listReversals(
  api: Ippay,
  charge: Charge,
  state: GatewayState,
): Promise<{ readonly reversals: readonly Reversal[] } | 'inconclusive'> {
  const { kind } = tokenIn(state) ?? { kind: 'card' as const };
  const reversals: Reversal[] = [];
  if (state['found'] !== undefined) {
    const answer = await api.ask(requestOf(api.config, kind, 'ENQ', charge.ref));
    if (answer.is === 'fault') return 'inconclusive';
    if (isVoided(answer.reply)) reversals.push(reversalOf('failed', charge, `${charge.ref}/void`, 'voided'));
  }
  if (!hasReporting(api.config)) return { reversals };
  const rows = await rowsOf(api, kind === 'bank' ? 'achrejects' : 'ccchargebacks', charge.sentAt);
  if (typeof rows === 'string') return 'inconclusive';
  for (const row of rows.filter((one) => referenceOf(one) === charge.ref)) {
    const code = kind === 'bank' ? returnCode(row) : (row.of('Status') ?? 'chargeback');
    const what = kind === 'bank' ? 'failed' : 'chargeback';
    const reversal = reversalOf(what, charge, `${charge.ref}/${code}`, code);
    const amount = kind === 'bank' ? undefined : amountOf(row.of('Total_Amount'));
    reversals.push(amount === undefined ? reversal : { ...reversal, amount });
  }
  return { reversals };
}

const reversalOf = (
  kind: Reversal['kind'],
  { ref, amount }: Charge,
  remote: string,
  code: string,
): Reversal => ({
  kind,
  remote: remoteId(remote),
  of: remoteId(ref),
  amount,
  code,
});

/** A bank may return a debit for so long. */
const longestReturnMs = 61 * dayMs;

/**
 * Payments that their banks have returned or charged back, since a little before the cursor: which of them, the payment itself is
 * asked for.
 */
export async function* pollEvents(
  api: Ippay,
  cursor: string | undefined,
): AsyncGenerator<GatewayEvent & { readonly cursor: string }> {
  const now = api.now();
  const before = Date.parse(cursor ?? '');
  const from = new Date((Number.isNaN(before) ? now.getTime() - longestReturnMs : before) - dayMs);
  for (const type of ['achrejects', 'ccchargebacks'] as const) {
    const rows = await rowsOf(api, type, from);
    if (typeof rows === 'string') throw new Error(`Reporting: ${rows}`);
    for (const row of rows) {
      const ref = referenceOf(row);
      if (!isGatewayRef(ref)) continue;
      const id = [type, ref, row.of('Status'), row.of('CompletionDate')].join(' ').slice(0, 200);
      yield { id, about: 'charge', remote: remoteId(ref), ref, cursor: now.toISOString() };
    }
  }
}

/** All charges since then, with what refunds and look-ups need. @throws {Error} where a list cannot be read */
export async function* listCharges(api: Ippay, since: Date): AsyncGenerator<ListedCharge> {
  const lists: readonly (readonly [ReportType, MethodKind, string])[] = [
    ['credit', 'card', 'SALE'],
    ['ach', 'bank', 'CHECK'],
  ];
  for (const [type, kind, request] of lists) {
    const rows = await rowsOf(api, type, since);
    if (typeof rows === 'string') throw new Error(`Reporting: ${rows}`);
    const approved = rows.filter((row) => row.of('ActionCode') === '000');
    const voided = new Set(approved.filter((row) => row.of('Request_Type') === 'VOID').map(referenceOf));
    for (const row of approved) {
      if (row.of('Request_Type') !== request || voided.has(referenceOf(row))) continue;
      const listed = listedCharge(row, kind, since);
      if (listed !== undefined) yield listed;
    }
  }
}

function listedCharge(row: ReportRow, kind: MethodKind, since: Date): ListedCharge | undefined {
  const reference = referenceOf(row);
  const amount = amountOf(row.of('Total_Amount'));
  if (reference === '' || amount === undefined)
    throw new Error('Reporting: a charge has no id or no readable amount');
  const at = timeOf(row) ?? since;
  const [token, customer, invoice] = [row.of('Token'), row.of('UD1'), row.of('UD2')];
  const state = {
    kind,
    at: at.toISOString(),
    ...(token && { token }),
    ...(kind === 'card' && { approval: row.of('Auth_Code') ?? '' }),
  };
  const remote = remoteId(reference);
  return {
    ...(isGatewayRef(reference) && { ref: reference }),
    amount,
    kind,
    at,
    labels: { ...(customer && { customer }), ...(invoice && { invoice }) },
    outcome:
      kind === 'bank'
        ? { is: 'pending', because: 'bank', remote, state }
        : { is: 'succeeded', remote, captured: amount, state },
  };
}
