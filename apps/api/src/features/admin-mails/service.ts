import { isMailAddress } from '@counterfoil/domain/text/mail-address.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import { enqueue } from '../../jobs/queue.ts';
import { type MailTry, noteTry } from '../../mail/kept.ts';
import { findMail, lockMail, nameJob, takeOutJob, type WholeMailRow } from './queries.ts';

export interface MailDeskDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** A mail that is named, and whose it has to be. */
export interface MailNamed {
  readonly id: string;
  readonly resellerId: number;
}

/** @throws {AppError} mail.notFound */
export async function mailNamed({ db }: Pick<MailDeskDeps, 'db'>, named: MailNamed): Promise<WholeMailRow> {
  const mail = await findMail(db, named.id, named.resellerId);
  if (mail === undefined) throw new AppError('mail.notFound');
  return mail;
}

/** Whether a mail goes to the address of an account, or to that of a customer, whatever anybody says. */
export const isAddressFixed = ({ payload }: Pick<WholeMailRow, 'payload'>): boolean =>
  !Object.hasOwn(payload, 'outboxId');

/**
 * Orders a mail once more. What it is about is read anew: a link in it is made fresh.
 * @param address where it goes; undefined: where it went before
 * @throws {AppError} mail.notFound, mail.underWay, mail.addressFixed, mail.noAddress
 */
export async function resendMail(
  deps: MailDeskDeps,
  named: MailNamed,
  address: string | undefined,
  by: ActedBy,
): Promise<void> {
  const mail = await mailNamed(deps, named);
  if (address !== undefined && address !== mail.address) {
    if (isAddressFixed(mail)) throw new AppError('mail.addressFixed');
    if (!isMailAddress(address)) throw new AppError('mail.noAddress');
  }
  const to = address ?? mail.address;
  await deps.db.transaction(async (tx) => {
    const state = await lockMail(tx, mail.id);
    if (state === 'waiting' || !(await takeOutJob(tx, mail.job_id))) throw new AppError('mail.underWay');
    const jobId = await enqueue(tx, mail.task, mail.payload);
    await nameJob(tx, mail.id, jobId, to);
    await decide(tx, deps, mail, {
      state: 'waiting',
      entry: { outcome: 'ordered', to, by: by.actor },
      action: 'mail.resent',
      detail: { 'before.address': mail.address, 'after.address': to },
      by,
    });
  });
}

/**
 * Says that a mail that did not go out was seen to; it is not tried again.
 * @throws {AppError} mail.notFound, mail.underWay, mail.ended
 */
export async function dismissMail(
  deps: MailDeskDeps,
  named: MailNamed,
  note: string,
  by: ActedBy,
): Promise<void> {
  const mail = await mailNamed(deps, named);
  await deps.db.transaction(async (tx) => {
    const state = await lockMail(tx, mail.id);
    if (state === 'sent' || state === 'closed') throw new AppError('mail.ended');
    if (state === 'waiting' || !(await takeOutJob(tx, mail.job_id))) throw new AppError('mail.underWay');
    await decide(tx, deps, mail, {
      state: 'closed',
      entry: { outcome: 'dismissed', by: by.actor, note },
      action: 'mail.dismissed',
      detail: { note },
      by,
    });
  });
}

interface Decision {
  readonly state: 'waiting' | 'closed';
  readonly entry: Omit<MailTry, 'at'>;
  readonly action: 'mail.resent' | 'mail.dismissed';
  readonly detail: Readonly<Record<string, string>>;
  readonly by: ActedBy;
}

async function decide(tx: Tx, { clock }: MailDeskDeps, mail: WholeMailRow, decision: Decision) {
  const at = clock.now();
  const { state, entry, action, detail, by } = decision;
  await noteTry(tx, mail.id, { state, entry: { at: at.toISOString(), ...entry } });
  await recordAudit(tx, {
    action,
    at,
    resellerId: mail.reseller_id,
    customerId: mail.customer_id ?? undefined,
    ...by,
    detail: {
      mail: mail.id,
      kind: mail.kind,
      'before.state': mail.state,
      'after.state': state,
      ...detail,
    },
  });
}
