import type { OperatorRole } from '@counterfoil/contract/operator/access/operators.ts';
import type { Db } from '../../db/database.ts';
import type { BrandMail } from '../../mail/compose.ts';
import { findBrand } from '../brand/queries.ts';
import { type Brand, brandFromRow } from '../brand/service.ts';

/** To whom, in whose name, where its button leads, and its id. */
export interface OperatorMail {
  readonly brand: Brand;
  readonly operatorId: string;
  readonly email: string;
  readonly url: string;
  /** Left part of the message id. */
  readonly id: string;
}

/** The console's name in mails: of no reseller, as its pages are. */
export async function consoleBrand(db: Db, publicUrl: URL): Promise<Brand> {
  const row = await findBrand(db, 0);
  if (row === undefined) throw new Error('the built-in brand is missing');
  return { ...brandFromRow(row), companyName: `Counterfoil console at ${publicUrl.host}` };
}

const head = ({ brand, operatorId, email: to, url, id }: OperatorMail) => ({
  brand,
  to,
  url,
  messageId: `<${id}@operator.counterfoil>`,
  about: { operatorId },
});
const username = ({ email }: OperatorMail) => ({ label: 'E-mail address', value: email });

const roleWords: Readonly<Record<OperatorRole, string>> = {
  owner: 'owner',
  billing: 'billing',
  support: 'support',
  readOnly: 'read only',
};

/** An owner has made an account; the person chooses a password and sets up the app. */
export const invitationMail = (mail: OperatorMail, role: OperatorRole): BrandMail<'operatorInvitation'> => ({
  kind: 'operatorInvitation',
  ...head(mail),
  values: { role: roleWords[role] },
  facts: [username(mail)],
});

/** Somebody asked for a new password. */
export const resetMail = (mail: OperatorMail): BrandMail<'operatorReset'> => ({
  kind: 'operatorReset',
  ...head(mail),
  values: {},
  facts: [username(mail)],
});

/** What a mail about an endpoint of webhooks says. */
export interface EndpointNews {
  /** Where it leads. */
  readonly host: string;
  readonly state: 'paused' | 'disabled';
  /** Without a full stop. */
  readonly reason: string;
}

/** Webhooks are not sent to an endpoint any more. */
export const endpointMail = (
  mail: OperatorMail,
  { host, state, reason }: EndpointNews,
): BrandMail<'operatorEndpoint'> => ({
  kind: 'operatorEndpoint',
  ...head(mail),
  values: { host, state, reason },
  facts: [{ label: 'Host', value: host }],
});

/** Something changed in how the operator signs in. @param change in a sentence or two */
export function changedMail(mail: OperatorMail, at: Date, change: string): BrandMail<'operatorChanged'> {
  const when = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    kind: 'operatorChanged',
    ...head(mail),
    values: { when, change },
    facts: [username(mail), { label: 'When', value: when }],
  };
}
