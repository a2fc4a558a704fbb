import { formatDay } from '@counterfoil/domain/day.ts';
import { momentIn } from '@counterfoil/domain/time-zone.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { Job } from '../../jobs/worker.ts';
import { type AnyBrandMail, type BrandMail, composeMail } from '../../mail/compose.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { type Brand, brandUrl } from '../brand/service.ts';
import { findUser } from './queries.ts';
import { brandOfUser } from './user-brand.ts';

export interface AccountMailDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly mailFrom: string;
  /** Scheme and port of links; their host is the brand's. */
  readonly publicUrl: URL;
  /** DEMO=1. */
  readonly isDemo: boolean;
}

/** To whom, and in whose name. */
export interface Recipient {
  readonly brand: Brand;
  /** Where the mail goes, which is also the user name. */
  readonly email: string;
}

/** Where its button leads, and its id. */
export interface Link {
  readonly url: string;
  /** Left part of the message id. */
  readonly id: string;
}

/** What the job of a mail about an account is given. */
interface AccountEvent {
  readonly userId: string;
  /** ISO 8601 */
  readonly at: string;
}

/**
 * A job that tells an active user what happened to their account. The button of its mail leads to the sign-in page.
 * @param event distinguishes this mail from others about the same user and moment
 */
export const accountMailJob = <E extends AccountEvent>(
  deps: AccountMailDeps,
  name: string,
  event: (payload: E) => string,
  write: (to: Recipient, link: Link, payload: E) => AnyBrandMail,
): Job => ({
  name,
  async run(given) {
    const payload = given as E;
    const { userId, at } = payload;
    const user = await findUser(deps.db, userId);
    if (user === undefined) return;
    const brand = await brandOfUser(deps.db, user);
    const link = {
      url: brandUrl(brand, deps.publicUrl, '/login'),
      id: `${userId}.${Date.parse(at)}.${event(payload)}`,
    };
    await sendAccountMail(deps, write({ brand, email: user.email }, link, payload));
  },
});

export const sendAccountMail = (deps: AccountMailDeps, mail: AnyBrandMail): Promise<void> =>
  deps.mailer.send(composeMail(mail, deps.mailFrom));

/** What every mail about an account begins with. */
export const head = ({ brand, email: to }: Recipient, { url, id }: Link) => ({
  brand,
  to,
  url,
  messageId: `<${id}@account.counterfoil>`,
});
export const username = (email: string) => ({ label: 'Username', value: email });

/** Something other than the password changed in how the person gets in. @param change in a sentence or two */
export function securityChangedMail(
  to: Recipient,
  link: Link,
  at: Date,
  change: string,
): BrandMail<'securityChanged'> {
  const when = momentOf(to.brand.timeZone, at);
  return {
    kind: 'securityChanged',
    ...head(to, link),
    values: { username: to.email, when, change },
    facts: [username(to.email), { label: 'When', value: when }],
  };
}

/** A moment as the brand's customers read it, with the day and the time of its zone. */
export function momentOf(timeZone: string, at: Date): string {
  const { day, time } = momentIn(timeZone, at);
  return `${formatDay(day)} ${time}`;
}
