import type { Database, Tx } from '../db/database.ts';
import type { Clock } from '../deps.ts';
import type { JobRun } from '../jobs/worker.ts';
import type { BounceAddress } from './bounce-address.ts';
import { type AnyBrandMail, composeMail } from './compose.ts';
import { type KeptMail, keepMail, type MailState, type MailTry } from './kept.ts';
import { type Mailer, MailFailed } from './mailer.ts';

/** What the jobs that mail have in common. */
export interface MailDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly mailFrom: string;
  /** Absent: mails that come back go to their sender, and are not seen. */
  readonly bounces?: Pick<BounceAddress, 'of'> | undefined;
  /** Scheme and port of links; their host is the brand's. */
  readonly publicUrl: URL;
}

/** A mail that a job sends. */
export interface MailOrder {
  readonly task: string;
  readonly payload: object;
  readonly run: JobRun;
  /** What is known of it from earlier tries. */
  readonly kept: KeptMail | undefined;
  readonly mail: AnyBrandMail;
}

/**
 * Sends a mail and keeps what it said and how that ended.
 * @param alsoWrite what else is written, in the same transaction, once it is sent or refused for good
 * @throws {MailFailed} when it is to be tried again
 */
export async function sendKept(
  deps: Pick<MailDeps, 'db' | 'clock' | 'mailer' | 'mailFrom' | 'bounces'>,
  order: MailOrder,
  alsoWrite?: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const { run, kept } = order;
  // Ordered once more it is another mail: a mailbox must not drop it as the one it has.
  const messageId =
    kept?.isAgain === true ? `<${kept.id}.${run.id}@again.counterfoil>` : order.mail.messageId;
  const mail = { ...order.mail, messageId };
  const keep = (tx: Tx, state: MailState, outcome: MailTry['outcome'], reason?: string) => {
    const at = deps.clock.now().toISOString();
    const entry = { at, outcome, to: mail.to, ...(reason === undefined ? {} : { reason }) };
    return keepMail(tx, { ...order, jobId: run.id, mail, state, entry });
  };
  let refused: MailFailed | undefined;
  try {
    const bounceTo = deps.bounces?.of(run.id);
    refused = await deps.mailer.send({
      ...composeMail(mail, deps.mailFrom),
      ...(bounceTo !== undefined && { bounceTo }),
    });
  } catch (error) {
    // Only what the mailer says of a mail server is fit to be shown.
    const reason = error instanceof MailFailed ? error.message : 'the mail could not be handed over';
    const state = run.isLast ? 'givenUp' : 'failing';
    // That it failed is told by the job in any case.
    await deps.db.transaction((tx) => keep(tx, state, 'failed', reason)).catch(() => undefined);
    throw error;
  }
  await deps.db.transaction(async (tx) => {
    if (refused === undefined) await keep(tx, 'sent', 'sent');
    else await keep(tx, 'refused', 'refused', refused.message);
    await alsoWrite?.(tx);
  });
}
