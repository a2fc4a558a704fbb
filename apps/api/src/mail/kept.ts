import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Database, Db, Tx } from '../db/database.ts';
import { sql, sqlOnce } from '../db/sql.ts';
import type { Clock } from '../deps.ts';
import { type AnyBrandMail, type MailWords, wordMail } from './compose.ts';

/** Where a mail stands. `closed`: there is nothing to send any more, or a person has seen to it. */
export type MailState = 'waiting' | 'sent' | 'failing' | 'refused' | 'givenUp' | 'closed';

/** How one try ended, or what a person decided; as it is stored. */
export interface MailTry {
  /** ISO 8601 */
  readonly at: string;
  readonly outcome: 'sent' | 'failed' | 'refused' | 'bounced' | 'notNeeded' | 'ordered' | 'dismissed';
  readonly to?: string;
  /** Why it failed: the mail server's codes. */
  readonly reason?: string;
  /** Who ordered it again or dismissed it, and in which words. */
  readonly by?: string;
  readonly note?: string;
}

/** A mail that was to be sent before, by the job that runs now. */
export interface KeptMail {
  readonly id: string;
  readonly address: string;
  /** A person has ordered it once more. */
  readonly isAgain: boolean;
}

/** What is known of the mail of a job; undefined before its first try. */
export const findKept = (db: Db, jobId: string): Promise<KeptMail | undefined> =>
  db.maybeOne<KeptMail>(sqlOnce`
    select id, address, orders > 1 as "isAgain" from mail where job_id = ${jobId}`);

/** Tries that are kept of one mail: those of its first order, and of some more. */
const MOST_TRIES = 40;

const withTry = (entry: MailTry) => sql`
  (case when jsonb_array_length(mail.tries) >= ${MOST_TRIES}::int then mail.tries - 0 else mail.tries end)
    || ${JSON.stringify([entry])}::jsonb`;

/** Notes what became of a mail that is known. */
export const noteTry = (
  tx: Pick<Db, 'many'>,
  id: string,
  change: { readonly state: MailState; readonly entry: MailTry },
): Promise<unknown> =>
  tx.many(sql`
    update mail set state = ${change.state}, tries = ${withTry(change.entry)}, updated_at = ${new Date(change.entry.at)}
     where id = ${id}`);

/** There is nothing to send any more. */
export async function closeKept(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  kept: KeptMail | undefined,
): Promise<void> {
  if (kept === undefined) return;
  const entry: MailTry = { at: clock.now().toISOString(), outcome: 'notNeeded' };
  await db.transaction((tx) => noteTry(tx, kept.id, { state: 'closed', entry }));
}

/** One try of one mail. */
export interface TriedMail {
  readonly jobId: string;
  readonly task: string;
  readonly payload: object;
  readonly mail: AnyBrandMail;
  readonly state: MailState;
  readonly entry: MailTry;
}

/** Keeps what a mail said and how this try ended. One whose reseller is not known any more is not kept. */
export async function keepMail(tx: Tx, tried: TriedMail): Promise<void> {
  const { mail, entry } = tried;
  const about = { customerId: null, userId: null, operatorId: null, ...mail.about };
  const { subject, ...words } = withoutSecrets(wordMail(mail));
  const at = new Date(entry.at);
  await tx.execute(sql`
    insert into mail (id, reseller_id, brand_id, customer_id, user_id, operator_id, kind, address, subject, content, task, payload,
                      job_id, state, tries, created_at, updated_at)
    select ${newId(at.getTime())}::uuid, r.id, ${mail.brand.id}::int, ${about.customerId}::uuid, ${about.userId}::uuid,
           ${about.operatorId}::uuid, ${mail.kind}::text, ${mail.to}::text, ${subject}::text, ${JSON.stringify(words)}::jsonb, ${tried.task}::text,
           ${JSON.stringify(tried.payload)}::jsonb, ${tried.jobId}::text, ${tried.state}::text,
           ${JSON.stringify([entry])}::jsonb, ${at}::timestamptz, ${at}::timestamptz
      from (select coalesce((select reseller_id from customer where customer_id = ${about.customerId}::uuid),
                            (select reseller_id from app_user where id = ${about.userId}::uuid),
                            (select reseller_id from operator where id = ${about.operatorId}::uuid),
                            ${mail.brand.resellerId}::int) as id) as r
     where r.id is not null or ${about.operatorId}::uuid is not null
    on conflict (job_id) do update
       set kind = excluded.kind, address = excluded.address, subject = excluded.subject, content = excluded.content,
           brand_id = excluded.brand_id, state = excluded.state, updated_at = excluded.updated_at,
           tries = ${withTry(entry)}`);
}

/** What stands for the part of an address that opens something. */
const HIDDEN = '••••••';

/** The words of a mail as whoever did not get it may read them: its link opens nothing. */
function withoutSecrets(words: MailWords): MailWords {
  const { link } = words;
  return link === undefined ? words : { ...words, link: { ...link, url: hideSecrets(link.url) } };
}

/**
 * An address without what follows the first part of its path: a token stands there, and nothing else that anybody needs to
 * read.
 */
export function hideSecrets(address: string): string {
  const url = URL.parse(address);
  if (url === null) return HIDDEN;
  const [, page = '', ...rest] = url.pathname.split('/');
  const hasMore = rest.some((part) => part !== '') || url.search !== '' || url.hash !== '';
  return `${url.origin}/${page}${hasMore ? `/${HIDDEN}` : ''}`;
}
