import { OPERATOR_RESET_SECONDS } from '@counterfoil/contract/operator/access/operators.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Tx } from '../../db/database.ts';
import { enqueue, enqueueAll } from '../../jobs/queue.ts';
import type { Job } from '../../jobs/worker.ts';
import type { AnyBrandMail } from '../../mail/compose.ts';
import { type MailDeps, mailJob } from '../../mail/outbox.ts';
import { type Secrets, sha256 } from '../../secrets.ts';
import { invitationUrl, remakeInvitation } from './invitations.ts';
import {
  changedMail,
  consoleBrand,
  type EndpointNews,
  endpointMail,
  invitationMail,
  resetMail,
} from './mails.ts';
import * as queries from './queries.ts';
import { issueReset, resetUrl } from './reset-links.ts';
import { mayEnter } from './session.ts';

/** Names of the jobs. Tokens are made by the job: none ever stands in the queue. */
const INVITATION_MAIL = 'operator-invitation-mail';
const RESET_MAIL = 'operator-reset-mail';
const CHANGED_MAIL = 'operator-changed-mail';
const ENDPOINT_MAIL = 'operator-endpoint-mail';

interface InvitationMailJob {
  readonly operatorId: string;
}
interface ResetMailJob {
  /** Of whoever has what was typed; else an id that is in use nowhere. What was typed may be a password, and is not kept. */
  readonly operatorId: string;
  /** ISO 8601 */
  readonly lookedUpAt: string;
}
interface ChangedMailJob {
  readonly operatorId: string;
  /** In a sentence or two. */
  readonly change: string;
  /** ISO 8601 */
  readonly at: string;
}

interface EndpointMailJob extends EndpointNews {
  readonly operatorId: string;
  readonly endpointId: string;
  /** ISO 8601 */
  readonly at: string;
}

// About an hour with the queue's growing pauses: longer is not waited for a link.
const RESET_ATTEMPTS = 8;

/** Promises the mail of an invitation; a second promise while the first waits is the same mail. */
export async function enqueueInvitationMail(tx: Tx, operatorId: string): Promise<void> {
  const job: InvitationMailJob = { operatorId };
  await enqueue(tx, INVITATION_MAIL, job, { key: `${INVITATION_MAIL}:${operatorId}` });
}

/**
 * Asks for a reset mail to the operator of this address. Runs the same statements for every text and queues a job of the
 * same look, so that it does not tell which addresses exist.
 */
export async function enqueueResetMail(tx: Tx, secrets: Secrets, typed: string, now: Date): Promise<void> {
  const found = await queries.findResettableId(tx, typed);
  const job: ResetMailJob = { operatorId: found?.id ?? newId(now.getTime()), lookedUpAt: now.toISOString() };
  const key = `${RESET_MAIL}:${secrets.digest(typed.toLowerCase(), RESET_MAIL).toString('base64url')}`;
  await enqueue(tx, RESET_MAIL, job, { key, maxAttempts: RESET_ATTEMPTS });
}

/** Promises the mail that tells an operator what changed in their way in, in the transaction that changes it. */
export async function enqueueChangedMail(
  tx: Tx,
  operatorId: string,
  change: string,
  now: Date,
): Promise<void> {
  const job: ChangedMailJob = { operatorId, change, at: now.toISOString() };
  await enqueue(tx, CHANGED_MAIL, job);
}

/** An endpoint of webhooks that has stopped. */
export interface StoppedEndpoint extends EndpointNews {
  readonly id: string;
  readonly resellerId: number;
}

/** Promises a mail to everybody who may set an endpoint going again, in the transaction that stops it. */
export async function enqueueEndpointMails(
  tx: Tx,
  { id: endpointId, resellerId, ...news }: StoppedEndpoint,
  now: Date,
): Promise<void> {
  const owners = await queries.findOwners(tx, resellerId);
  const at = now.toISOString();
  await enqueueAll(
    tx,
    ENDPOINT_MAIL,
    owners.map(({ id: operatorId }) => {
      const job: EndpointMailJob = { operatorId, endpointId, at, ...news };
      return { key: `${ENDPOINT_MAIL}:${endpointId}:${at}:${operatorId}`, payload: job };
    }),
  );
}

interface OperatorMailDeps extends MailDeps {
  readonly secrets: Secrets;
  /** DEMO=1. */
  readonly isDemo: boolean;
}

/** The jobs that mail operators. */
export const operatorMailJobs = (deps: OperatorMailDeps): Job[] => [
  mailJob<InvitationMailJob>(deps, INVITATION_MAIL, ({ operatorId }) => invitation(deps, operatorId)),
  mailJob<ResetMailJob>(deps, RESET_MAIL, async ({ operatorId, lookedUpAt }) => {
    const ageMs = deps.clock.now().getTime() - new Date(lookedUpAt).getTime();
    return ageMs > OPERATOR_RESET_SECONDS * 1000 ? undefined : reset(deps, operatorId);
  }),
  mailJob<ChangedMailJob>(deps, CHANGED_MAIL, async ({ operatorId, change, at }) => {
    const operator = await queries.findOperator(deps.db, operatorId);
    if (operator === undefined) return undefined;
    const brand = await consoleBrand(deps.db, deps.publicUrl);
    const url = new URL('/admin/sign-in', deps.publicUrl).href;
    const id = `${operatorId}.${Date.parse(at)}.${sha256(change).toString('hex', 0, 4)}`;
    return changedMail({ brand, operatorId, email: operator.email, url, id }, new Date(at), change);
  }),
  mailJob<EndpointMailJob>(deps, ENDPOINT_MAIL, async ({ operatorId, endpointId, at, ...news }) => {
    const operator = await queries.findOperator(deps.db, operatorId);
    if (operator === undefined || !mayEnter(deps, operator)) return undefined;
    const brand = await consoleBrand(deps.db, deps.publicUrl);
    const url = new URL(`/admin/webhooks/endpoints/${endpointId}`, deps.publicUrl).href;
    const id = `${operatorId}.${endpointId}.${Date.parse(at)}`;
    return endpointMail({ brand, operatorId, email: operator.email, url, id }, news);
  }),
];

/** Each try makes a new link: a mail that may have gone out holds one that opens nothing any more. */
async function invitation(deps: OperatorMailDeps, operatorId: string): Promise<AnyBrandMail | undefined> {
  const { db, clock, secrets, publicUrl } = deps;
  const made = await db.transaction((tx) => remakeInvitation(tx, secrets, operatorId, clock.now()));
  if (made === undefined || !mayEnter(deps, made.operator)) return undefined;
  const { operator, token } = made;
  const id = `${sha256(token).toString('hex', 0, 16)}.invitation`;
  const brand = await consoleBrand(db, publicUrl);
  const url = invitationUrl(publicUrl, token);
  return invitationMail({ brand, operatorId, email: operator.email, url, id }, operator.role);
}

async function reset(deps: OperatorMailDeps, operatorId: string): Promise<AnyBrandMail | undefined> {
  const { db, clock, publicUrl } = deps;
  const made = await db.transaction((tx) => issueReset(tx, operatorId, clock.now()));
  if (made === undefined || !mayEnter(deps, made.operator)) return undefined;
  const { operator, token } = made;
  const id = `${sha256(token).toString('hex', 0, 16)}.reset`;
  const brand = await consoleBrand(db, publicUrl);
  return resetMail({ brand, operatorId, email: operator.email, url: resetUrl(publicUrl, token), id });
}
