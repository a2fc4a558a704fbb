import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { BounceAddress } from './bounce-address.ts';
import { noteTry } from './kept.ts';

/** What a message to the address for bounces was. */
export type Bounce =
  /** It says that a mail of ours will not be delivered; `status` is an enhanced status code (RFC 3463), such as `5.1.1`. */
  | { readonly is: 'bounce'; readonly jobId: string; readonly status: string }
  /** Nothing that ends a mail: a note of delay, an answer of somebody who is away, or no delivery report at all. */
  | { readonly is: 'other' }
  /** It is not to an address that we made. */
  | { readonly is: 'stranger' };

const FAILED = /^action:\s*failed\b/im;
const STATUS = /^status:\s*([45]\.\d{1,3}\.\d{1,3})\b/im;

/**
 * Reads a message as it came, RFC 5322: of a delivery report (RFC 3464) what it says of the recipient.
 * @param sentTo the address it was delivered to, where the mail server tells it; else it stands in its `To`
 */
export async function readBounce(raw: Uint8Array, address: BounceAddress, sentTo?: string): Promise<Bounce> {
  // Few processes ever read a message.
  const { default: PostalMime } = await import('postal-mime');
  const { to = [], attachments } = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' });
  const addresses = sentTo === undefined ? to.map((mailbox) => mailbox.address ?? '') : [sentTo];
  const jobId = addresses.map((one) => address.jobOf(one)).find((id) => id !== undefined);
  if (jobId === undefined) return { is: 'stranger' };
  const report = attachments.find(({ mimeType }) => mimeType === 'message/delivery-status');
  // Each mail of ours has one recipient, whose fields stand apart from those of the whole message.
  const [, ...recipients] = String(report?.content ?? '').split(/\r?\n\r?\n/);
  const failed = recipients.find((fields) => FAILED.test(fields));
  if (failed === undefined) return { is: 'other' };
  return { is: 'bounce', jobId, status: STATUS.exec(failed)?.[1] ?? '5.0.0' };
}

/**
 * Notes that a mail came back. A mail that was ordered once more meanwhile, or has been seen to, is left as it is.
 * @returns whether there was anything to note
 */
export async function noteBounce(
  tx: Tx,
  { jobId, status }: Extract<Bounce, { is: 'bounce' }>,
  now: Date,
): Promise<boolean> {
  const mail = await tx.maybeOne<{ id: string; address: string }>(sql`
    select id, address from mail where job_id = ${jobId} and state = 'sent' for update`);
  if (mail === undefined) return false;
  const reason = `the recipient’s mail server sent it back: ${status}`;
  await noteTry(tx, mail.id, {
    state: 'refused',
    entry: { at: now.toISOString(), outcome: 'bounced', to: mail.address, reason },
  });
  return true;
}
