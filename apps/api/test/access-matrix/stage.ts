import { newId } from '@counterfoil/domain/text/ids.ts';
import type { InjectOptions } from 'fastify';
import { issueToken } from '../../src/features/auth/tokens/one-time-token.ts';
import { makeLoginCode } from '../../src/features/login-as/service.ts';
import { lockOperator, setWayIn } from '../../src/features/operators/queries.ts';
import { issueReset } from '../../src/features/operators/reset-links.ts';
import { resetOperator } from '../../src/features/operators/service.ts';
import type { Operation } from '../../src/http/answers/openapi-document.ts';
import { sha256 } from '../../src/secrets.ts';
import { allTables, fingerprint } from '../bad-input/fingerprint.ts';
import type { GoodRequest } from '../bad-input/good-request.ts';
import { FOREIGN_MARKER, setStage } from '../bad-input/stage.ts';
import { invitedOperator } from '../fixtures/operator.ts';
import type { TestFixture } from '../fixtures/test-fixture.ts';
import { type Actor, actorsOf } from './actors.ts';
import type { SecretKind } from './public-operations.ts';
import {
  furnish,
  idsOf,
  newTenant,
  type PlacesOfIds,
  signInAt,
  strangerToken,
  type Tenant,
} from './tenants.ts';

/** Foreign things, by whose they are. */
export const FOREIGN = [
  'another customer of the same user',
  'the same reseller',
  'another reseller',
  'another customer of that reseller',
] as const;

/** A value of a secret, and what it should do. */
export interface Secret {
  readonly own: string;
  /** Values that open nothing. */
  readonly wrong: Readonly<Record<string, string>>;
}

/**
 * Two resellers with two customers each, all of them with everything the product keeps, and one user among them who is
 * the caller; that user has a second customer besides.
 */
export interface MatrixStage {
  readonly operations: readonly Operation[];
  readonly good: ReadonlyMap<Operation, GoodRequest>;
  readonly actors: readonly Actor[];
  /** Headers of the caller, for a call that takes a customer or not. */
  readonly caller: (operation: Operation) => Readonly<Record<string, string>>;
  /** Headers of support staff who act in the caller's name. */
  readonly support: Readonly<Record<string, string>>;
  /** UUIDs that stand in rows of the caller. */
  readonly ownIds: PlacesOfIds;
  /** UUIDs that stand in rows of others, by whose. */
  readonly foreignIds: ReadonlyMap<(typeof FOREIGN)[number], PlacesOfIds>;
  readonly foreignBrandId: number;
  readonly secrets: Readonly<Record<SecretKind, Secret>>;
  /** A print of every table. */
  readonly print: () => Promise<Readonly<Record<string, string>>>;
  /** The same of the rows that name other customers or users. */
  readonly printOthers: () => Promise<Readonly<Record<string, string>>>;
  /** What the caller was answered while there was nobody else, by call. */
  readonly alone: ReadonlyMap<Operation, string>;
  /** Signs the caller in again, for after a sign-out. */
  readonly again: () => Promise<void>;
}

export async function setMatrixStage(fixture: TestFixture): Promise<MatrixStage> {
  const base = await setStage(fixture);
  const { owner } = base;
  const mark = (who: string) => `${FOREIGN_MARKER}-${who}`;
  const me = await furnish(fixture, { ...owner, mark: 'mine' });
  const retired = await retiredLinks(fixture, me, owner.resellerId);
  const second = await secondCustomer(fixture, owner);
  let { access_token: token } = await signInAt(fixture, owner.userId, 'caller');
  const customer = { 'x-customer-id': owner.customerId };
  const caller = ({ access }: Operation): Readonly<Record<string, string>> => {
    if (access === 'operator') return { cookie: base.callers.operator() };
    return {
      authorization: `Bearer ${access === 'program' ? base.callers.program : token}`,
      ...(access === 'customer' ? customer : {}),
    };
  };
  const alone = new Map<Operation, string>();
  for (const operation of base.operations.filter(
    ({ method, access }) => method === 'GET' && access !== 'public',
  )) {
    const answer = await fixture.app.inject(
      requestOf(operation, base.good.get(operation), caller(operation)),
    );
    alone.set(operation, answer.body);
  }
  const secondTenant = await furnish(fixture, second);
  const sameReseller = await newTenant(fixture, owner.resellerId, mark('sibling'));
  const { reseller } = await fixture.seedPayer();
  const otherReseller = await newTenant(fixture, reseller.id, mark('far'));
  const itsNeighbour = await newTenant(fixture, reseller.id, mark('farther'));
  const actors = await actorsOf(fixture, { me, resellerId: owner.resellerId, sameReseller, otherReseller });

  const own = await idsOf(fixture, { customers: [owner.customerId], users: [owner.userId] });
  const foreign = async ({ customerId, userId }: Tenant, users = [userId]) => {
    const ids = await idsOf(fixture, { customers: [customerId], users });
    return new Map([...ids].filter(([id]) => !own.has(id)));
  };
  const { access_token: support } = await signInAt(
    fixture,
    owner.userId,
    'support',
    'agent@provider.example',
  );
  const others = [secondTenant, sameReseller, otherReseller, itsNeighbour];
  const names = others.flatMap(({ customerId, userId }) => [customerId, userId]);
  return {
    operations: base.operations,
    good: base.good,
    actors,
    foreignBrandId: reseller.brandId,
    caller,
    alone,
    again: async () => {
      token = (await signInAt(fixture, owner.userId, 'caller')).access_token;
      await base.renewSession();
    },
    support: { authorization: `Bearer ${support}`, ...customer },
    ownIds: own,
    foreignIds: new Map([
      [FOREIGN[0], await foreign(secondTenant, [])],
      [FOREIGN[1], await foreign(sameReseller)],
      [FOREIGN[2], await foreign(otherReseller)],
      [FOREIGN[3], await foreign(itsNeighbour)],
    ]),
    secrets: await secretsOf(fixture, { ...me, resellerId: owner.resellerId }, sameReseller, retired),
    print: async () => fingerprint(fixture, await allTables(fixture)),
    printOthers: async () =>
      fingerprint(
        fixture,
        await allTables(fixture),
        names.filter((id) => id !== owner.userId),
      ),
  };
}

/** The caller's second customer: theirs, but not the one a request is about. */
async function secondCustomer(
  fixture: TestFixture,
  owner: { readonly userId: string; readonly resellerId: number },
): Promise<Parameters<typeof furnish>[1]> {
  const { resellerId, userId } = owner;
  const customer = await fixture.make.customer({ resellerId, brandId: resellerId, label: 'The second' });
  await fixture.database
    .pool()
    .query('insert into membership (user_id, customer_id) values ($1, $2)', [userId, customer.id]);
  return { resellerId, customerId: customer.id, userId, mark: `${FOREIGN_MARKER}-second` };
}

async function secretsOf(
  fixture: TestFixture,
  { resellerId, ...me }: Tenant & { readonly resellerId: number },
  other: Tenant,
  retired: Readonly<Record<string, string>>,
): Promise<Readonly<Record<SecretKind, Secret>>> {
  const now = fixture.clock.now();
  const mailed = async (kind: 'reset' | 'registration') => {
    const token = await fixture.deps.databases.web.transaction((tx) => issueToken(tx, kind, me.userId, now));
    if (token === undefined) throw new Error('the stage could not make a token');
    return token;
  };
  const spoiled = (token: string) => ({
    'of nobody': strangerToken(Buffer.from(token, 'base64url').length),
    'with another end': `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`,
    'cut short': token.slice(0, -2),
    'in capitals': token.toUpperCase(),
    'with a blank': `${token} `,
  });
  const replaced = { reset: await mailed('reset'), registration: await mailed('registration') };
  const open = { reset: await mailed('reset'), registration: await mailed('registration') };
  const loginCode = await makeCode(fixture, me);
  const operators = await operatorInvitations(fixture, resellerId);
  return {
    payLink: { own: me.payLink, wrong: { ...spoiled(me.payLink), ...retired, 'of a mail': open.reset } },
    paidLink: {
      own: me.paidLink,
      wrong: { ...spoiled(me.paidLink), ...retired, 'of a stranger': other.paidLink },
    },
    operatorInvitation: {
      own: operators.open,
      wrong: {
        ...spoiled(operators.open),
        replaced: operators.replaced,
        'to register with': open.registration,
        'to a new password': operators.reset,
      },
    },
    operatorReset: {
      own: operators.reset,
      wrong: {
        ...spoiled(operators.reset),
        replaced: operators.replacedReset,
        'to come in with': operators.open,
        'of a user': open.reset,
      },
    },
    attempt: {
      own: me.attemptId,
      wrong: { 'of nobody': newId(), 'of a stranger': other.attemptId, 'that is none': 'x' },
    },
    loginCode: {
      own: loginCode,
      wrong: { ...spoiled(loginCode), ...(await deadCodes(fixture, me)), 'of a reset': open.reset },
    },
    reset: {
      own: open.reset,
      wrong: { ...spoiled(open.reset), replaced: replaced.reset, 'to register with': open.registration },
    },
    registration: {
      own: open.registration,
      wrong: { ...spoiled(open.registration), replaced: replaced.registration, 'of a reset': open.reset },
    },
  };
}

/** Links of operators who have not come in yet or have lost their password, and those that they replaced. */
async function operatorInvitations(fixture: TestFixture, resellerId: number) {
  const { email, token: replaced } = await invitedOperator(fixture, resellerId);
  const { databases, secrets } = fixture.deps;
  const now = fixture.clock.now();
  const { email: other } = await invitedOperator(fixture, resellerId);
  return databases.web.transaction(async (tx) => {
    const inviting = { secrets, byMail: false };
    const { token: open = '' } = await resetOperator(tx, inviting, email, { actor: 'cli:test', now });
    const { id = '' } = (await lockOperator(tx, other)) ?? {};
    await setWayIn(tx, id, { passwordHash: 'none', otpSecret: Buffer.from('none'), step: 1 });
    const link = async () => (await issueReset(tx, id, now))?.token ?? '';
    return { open, replaced, replacedReset: await link(), reset: await link() };
  });
}

async function makeCode(fixture: TestFixture, { userId }: Tenant): Promise<string> {
  const wanted = { userId, customerId: undefined, actor: 'agent@provider.example', reason: 'asked to' };
  const { web } = fixture.deps.databases;
  return (await web.transaction((tx) => makeLoginCode(tx, wanted, fixture.clock.now()))).code;
}

/** Login codes that were used, or not in time. */
async function deadCodes(fixture: TestFixture, me: Tenant): Promise<Readonly<Record<string, string>>> {
  const [used, late] = [await makeCode(fixture, me), await makeCode(fixture, me)];
  const set = (column: string, code: string, at: Date) =>
    fixture.database.pool().query(`update login_code set ${column} = $2 where hash = $1`, [sha256(code), at]);
  await set('used_at', used, fixture.clock.now());
  const anHourAgo = fixture.clock.now().getTime() - 3_600_000;
  await fixture.database
    .pool()
    .query('update login_code set created_at = $2, expires_at = $3 where hash = $1', [
      sha256(late),
      new Date(anHourAgo),
      new Date(anHourAgo + 1_000),
    ]);
  return { used, 'out of time': late };
}

/** Pay links that were good once: replaced by another, and past their time. */
async function retiredLinks(
  fixture: TestFixture,
  { customerId }: Tenant,
  resellerId: number,
): Promise<Readonly<Record<string, string>>> {
  const customer = { id: customerId, resellerId };
  const [rotated, late] = [await fixture.seedPayable(customer), await fixture.seedPayable(customer)];
  const now = fixture.clock.now();
  const set = (column: string, invoiceId: string) =>
    fixture.database
      .pool()
      .query(`update invoice_pay_link set ${column} = $2 where invoice_id = $1`, [invoiceId, now]);
  await set('retired_at', rotated.id);
  await set('expires_at', late.id);
  return { replaced: rotated.token, 'out of time': late.token };
}

/** A request as it is meant, with some values in place of the good ones. */
export function requestOf(
  operation: Operation,
  good: GoodRequest | undefined,
  headers: Readonly<Record<string, string>>,
  set: readonly {
    readonly place: 'path' | 'query' | 'body';
    readonly name: string;
    readonly value: string;
  }[] = [],
): InjectOptions {
  const path: Record<string, string> = { ...good?.path };
  const query: Record<string, string> = { ...good?.query };
  const body: unknown = structuredClone(good?.body);
  for (const { place, name, value } of set) {
    if (place === 'path') path[name] = value;
    else if (place === 'query') query[name] = value;
    else setMember(body, name.split('.'), value);
  }
  const type = good?.contentType;
  const isForm = type === 'application/x-www-form-urlencoded';
  const payload = isForm ? new URLSearchParams(body as Record<string, string>).toString() : body;
  return {
    method: operation.method as NonNullable<InjectOptions['method']>,
    url: operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
      encodeURIComponent(path[name] ?? ''),
    ),
    query,
    headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
    ...(payload === undefined ? {} : { payload: payload as string }),
  };
}

/** The good value in this place of a request, where there is one. */
export function goodValueIn(
  good: GoodRequest | undefined,
  { place, name }: { readonly place: 'path' | 'query' | 'body'; readonly name: string },
): unknown {
  if (place !== 'body') return good?.[place][name];
  return name
    .split('.')
    .reduce<unknown>(
      (parent, member) => (parent as Record<string, unknown> | undefined)?.[member],
      good?.body,
    );
}

function setMember(body: unknown, [first = '', ...rest]: string[], value: string): void {
  const parent = body as Record<string, unknown>;
  if (rest.length === 0) parent[first] = value;
  else setMember(parent[first], rest, value);
}
