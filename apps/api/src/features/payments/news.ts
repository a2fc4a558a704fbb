import { isOpen } from '@counterfoil/domain/attempt.ts';
import type { News, RemoteId } from '@counterfoil/gateways/port.ts';
import { AppError } from '../../app-error.ts';
import { sql } from '../../db/sql.ts';
import { takeMethodNews } from '../payment-methods/news-service.ts';
import type { GatewayAccount } from './accounts.ts';
import { type AskDeps, askByWebhook, askEnded, readAttempt } from './ask.ts';
import type { AttemptRow } from './attempt-row.ts';
import { lookIntoGiveBack } from './give-back.ts';
import { bookReversal } from './reversals.ts';
import { NEWS_WAITS_MS } from './schedule.ts';

const ABOUT_METHODS: ReadonlySet<News['about']> = new Set(['method', 'mandate', 'payer']);

/** Who brought news, and whether its sender is proven. */
export interface HeardFrom {
  readonly account: GatewayAccount;
  readonly trust: 'signed' | 'hint';
}

/**
 * Takes one event in. Handled once; an event whose handling broke off is handled when it is delivered again.
 * What cannot be followed up for {@link NEWS_WAITS_MS} is left to a person.
 * @throws {AppError} `server.unavailable` when it cannot be followed up now, so that the gateway delivers it again
 */
export async function takeIn(deps: AskDeps, from: HeardFrom, news: News): Promise<void> {
  const now = deps.clock.now();
  const { account } = from;
  const { handled_at, received_at } = await deps.db.transaction((tx) =>
    tx.one<{ handled_at: Date | null; received_at: Date }>(sql`
      insert into inbox as i (gateway_account_id, event_key, received_at) values (${account.id}, ${news.id}, ${now})
      on conflict (gateway_account_id, event_key) do update set received_at = i.received_at
      returning handled_at, received_at`),
  );
  if (handled_at !== null) return;
  const mayWait = now.getTime() - received_at.getTime() < NEWS_WAITS_MS;
  const outcome = await handle(deps, from, news, mayWait);
  await deps.db.transaction((tx) =>
    tx.execute(sql`
      update inbox set handled_at = ${deps.clock.now()}, outcome = ${outcome}
       where gateway_account_id = ${account.id} and event_key = ${news.id}`),
  );
}

async function handle(
  deps: AskDeps,
  { account, trust }: HeardFrom,
  news: News,
  mayWait: boolean,
): Promise<string> {
  // Of what happens after the end, only a proven sender's own word counts.
  const late = trust === 'signed' ? news.late : undefined;
  if (ABOUT_METHODS.has(news.about)) return takeMethodNews(deps, account, news);
  if (late === undefined && news.about !== 'charge') return `not followed: ${news.about}`;
  const attempt = await findAttempt(deps, account, late?.of === undefined ? news : { remote: late.of });
  if (attempt === undefined) return 'no such payment here';
  const leave = (problem: string): string => {
    if (mayWait) throw new AppError('server.unavailable');
    const fields = { attempt: attempt.id, ref: attempt.ref, event: news.id, remote: news.remote };
    deps.log.error(fields, `news of an ended payment needs a person: ${problem}`);
    return `person: ${problem}`;
  };
  const other = late === undefined ? await otherThan(deps, attempt, news.remote) : undefined;
  const state = await followUp(deps, attempt, other);
  // What a proven sender says of a later time is judged all the same, once nothing more is waited for.
  // One that is open is the reconciler's, whatever its webhook could not bring.
  if (state === undefined && !mayWait && isOpen(attempt.state)) return attempt.state;
  if (state === undefined && (late === undefined || mayWait))
    return leave('what became of it at the gateway cannot be found out');
  if (late === undefined) return state ?? attempt.state;
  const key = { customerId: attempt.customer_id, attemptId: attempt.id };
  const booked = await bookReversal(deps, key, late.of ?? news.remote, late, news.ref);
  if (booked === 'tooEarly') return leave(`${late.is} of what is not known`);
  return `${late.is}: ${booked}`;
}

/** The charge that news names, where it carries our reference and is not the one we know. */
async function otherThan(
  deps: AskDeps,
  attempt: AttemptRow,
  remote: RemoteId | undefined,
): Promise<RemoteId | undefined> {
  if (remote === undefined || attempt.direction === 'giveBack' || isOpen(attempt.state)) return undefined;
  const known = await deps.db.maybeOne(sql`
    select 1 from gateway_object
     where gateway_account_id = ${attempt.gateway_account_id} and remote = ${remote} and about = 'charge'
       and customer_id = ${attempt.customer_id} and attempt_id = ${attempt.id}
    union all
    select 1 from capture
     where customer_id = ${attempt.customer_id} and attempt_id = ${attempt.id} and remote = ${remote} limit 1`);
  return known === undefined ? remote : undefined;
}

/**
 * What has become of the payment: asked of the gateway, and money for an ended one is taken in.
 * @param other a charge with its reference that is not its own
 * @returns its state; undefined when the gateway cannot tell now
 */
async function followUp(
  deps: AskDeps,
  attempt: AttemptRow,
  other: RemoteId | undefined,
): Promise<AttemptRow['state'] | undefined> {
  if (attempt.state === 'succeeded' && other === undefined) return attempt.state;
  if (attempt.direction === 'giveBack')
    return isOpen(attempt.state) ? (await lookIntoGiveBack(deps, attempt, 'webhook')).state : attempt.state;
  if (isOpen(attempt.state)) return (await askByWebhook(deps, attempt))?.state;
  return (await askEnded(deps, attempt, other)) ? attempt.state : undefined;
}

/** The payment an event is about, made through this reseller's account at this gateway. */
async function findAttempt(
  deps: AskDeps,
  account: GatewayAccount,
  news: Pick<News, 'remote' | 'ref'>,
): Promise<AttemptRow | undefined> {
  const found = await deps.db.many<{ customer_id: string; attempt_id: string }>(sql`
    select customer_id, attempt_id from gateway_object
     where gateway_account_id = ${account.id} and remote = ${news.remote ?? null} and about = 'charge'
    union all
    select customer_id, attempt_id from attempt_ref where ref = ${news.ref ?? null}`);
  for (const { customer_id, attempt_id } of found) {
    const attempt = await readAttempt(deps, { customerId: customer_id, attemptId: attempt_id });
    // A reference is only a hint: nobody's news touches a payment made through another account.
    if (attempt?.gateway_account_id === account.id) return attempt;
  }
  return undefined;
}
