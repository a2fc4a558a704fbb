import type { InjectOptions } from 'fastify';
import type { Operation } from '../../src/http/answers/openapi-document.ts';
import { badBody, badContentType, badEncoding, badJson, badText } from './bad-values.ts';
import type { GoodRequest } from './good-request.ts';
import type { Random } from './random.ts';

/** Who may be behind a request: proofs of sessions, some worth nothing. */
export interface Callers {
  /** Access token of a user with customers. */
  readonly own: () => string;
  /** API key of the provider's program. */
  readonly program: string;
  /** Cookie of the provider's operator. */
  readonly operator: () => string;
  readonly withoutCustomer: string;
  readonly expired: string;
  readonly ownCustomerId: string;
  readonly foreignCustomerId: string;
  /** Ids that exist and belong to somebody else. */
  readonly foreignIds: readonly [string, ...string[]];
}

interface Draft {
  method: string;
  path: Record<string, string>;
  query: [string, string][];
  headers: Record<string, string | string[]>;
  body: unknown;
  raw: string | Buffer | undefined;
  contentType: string | undefined;
  suffix: string;
}

/**
 * One bad request: a good one, spoilt in one to four ways.
 * @param isSignedIn whether the caller is; undefined: as it comes
 */
export function badRequest(
  operation: Operation,
  good: GoodRequest,
  callers: Callers,
  random: Random,
  isSignedIn?: boolean,
): InjectOptions & { readonly signedIn: boolean } {
  const draft: Draft = {
    method: operation.method,
    path: Object.fromEntries(Object.entries(good.path).map(([k, v]) => [k, encodeURIComponent(v)])),
    query: Object.entries(good.query),
    headers: {},
    body: structuredClone(good.body),
    raw: undefined,
    contentType: good.contentType,
    suffix: '',
  };
  const signedIn = addCaller(draft, operation, callers, random, isSignedIn);
  const spoils = spoilsOf(operation, callers);
  const times = random.oneIn(3) ? 2 + random.integer(3) : 1;
  for (let n = 0; n < times; n += 1) random.pick(spoils)(draft, random);
  return { ...write(draft, operation), signedIn };
}

function addCaller(
  draft: Draft,
  operation: Operation,
  callers: Callers,
  random: Random,
  isSignedIn: boolean | undefined,
): boolean {
  const signedIn = isSignedIn ?? (random.oneIn(operation.access === 'public' ? 4 : 2) || random.oneIn(3));
  if (operation.access === 'operator') {
    draft.headers['cookie'] = signedIn ? callers.operator() : `operator=${callers.withoutCustomer}`;
    return signedIn;
  }
  const bearer = signedIn
    ? operation.access === 'program'
      ? callers.program
      : callers.own()
    : random.pick([
        undefined,
        callers.withoutCustomer,
        callers.expired,
        `${callers.withoutCustomer.slice(0, -3)}AAA`,
        'x.y.z',
        badText(random).replaceAll(/[^\x20-\x7e]/g, '?'),
      ]);
  if (bearer !== undefined) draft.headers['authorization'] = `Bearer ${bearer}`;
  return signedIn;
}

type Spoil = (draft: Draft, random: Random) => void;

function spoilsOf(operation: Operation, callers: Callers): readonly [Spoil, ...Spoil[]] {
  const spoils: [Spoil, ...Spoil[]] = [spoilAddress, spoilQuery, spoilHeaders];
  if (operation.path.includes('{')) spoils.push(spoilPath, spoilPath, foreignId(callers));
  if ((operation.parameters ?? []).some((one) => one.in === 'query'))
    spoils.push(spoilQuery, foreignId(callers));
  if (operation.access === 'customer') spoils.push(spoilCustomer(callers));
  if (operation.requestBody !== undefined) spoils.push(spoilMember, spoilMember, spoilMember, dropMember);
  if (operation.method !== 'GET') spoils.push(spoilBody, spoilType);
  return spoils;
}

const spoilPath: Spoil = (draft, random) => {
  const [name] = random.pick(entries(draft.path));
  draft.path[name] = random.oneIn(4) ? badEncoding(random) : encode(badText(random));
};

/** Somebody else's id where one of ours is expected. */
const foreignId =
  (callers: Callers): Spoil =>
  (draft, random) => {
    const id = random.pick(callers.foreignIds);
    if (Object.keys(draft.path).length > 0) draft.path[random.pick(entries(draft.path))[0]] = encode(id);
    else draft.query = draft.query.map(([name, value]) => [name, random.oneIn(2) ? id : value]);
  };

const spoilQuery: Spoil = (draft, random) => {
  const name =
    draft.query.length > 0 && !random.oneIn(4)
      ? random.pick(entries(Object.fromEntries(draft.query)))[0]
      : badText(random);
  const how = random.integer(5);
  if (how === 0) draft.query = draft.query.filter(([one]) => one !== name);
  else if (how === 1) draft.query.push([name, badText(random)]);
  else if (how === 2) draft.query.push([`${name}[]`, badText(random)], [`${name}[a][b]`, '1']);
  else draft.query = [...draft.query.filter(([one]) => one !== name), [name, badText(random)]];
};

const spoilHeaders: Spoil = (draft, random) => {
  const name = random.pick([
    ...(['idempotency-key', 'accept', 'accept-encoding', 'x-request-id', 'range', 'if-none-match'] as const),
    ...(['x-forwarded-for', 'cookie', 'origin', 'expect', 'x-http-method-override'] as const),
  ]);
  draft.headers[name] = badText(random).replaceAll(/[^\x20-\xff]/g, '?');
};

const spoilCustomer =
  (callers: Callers): Spoil =>
  (draft, random) => {
    const text = badText(random).replaceAll(/[^\x20-\xff]/g, '?');
    draft.headers['x-customer-id'] = random.pick([
      callers.foreignCustomerId,
      callers.foreignCustomerId.toUpperCase(),
      `${callers.ownCustomerId}, ${callers.foreignCustomerId}`,
      text,
    ]);
  };

/** Other methods, and addresses that are nearly right. */
const spoilAddress: Spoil = (draft, random) => {
  if (random.oneIn(2))
    draft.method = random.pick(['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'POST', 'GET'] as const);
  else {
    const long = 'a'.repeat(random.pick([600, 8_000] as const));
    draft.suffix = random.pick([
      '/',
      '//',
      '/..',
      '/%2e%2e/',
      `/${long}`,
      ';x=1',
      '#x',
      '%00',
      '\\',
      '/.json',
    ] as const);
  }
};

const spoilMember: Spoil = (draft, random) => {
  if (!isRecord(draft.body) || Object.keys(draft.body).length === 0) draft.body = badJson(random);
  else {
    const [name, value] = random.pick(entries(draft.body));
    if (isRecord(value) && Object.keys(value).length > 0 && random.oneIn(2))
      value[random.pick(entries(value))[0]] = badJson(random);
    else draft.body[name] = badJson(random);
    if (random.oneIn(6)) draft.body[badText(random)] = badJson(random);
  }
};

const dropMember: Spoil = (draft, random) => {
  if (isRecord(draft.body) && Object.keys(draft.body).length > 0)
    delete draft.body[random.pick(entries(draft.body))[0]];
};

const spoilBody: Spoil = (draft, random) => {
  if (random.oneIn(3)) draft.body = badJson(random);
  else draft.raw = badBody(random);
};

const spoilType: Spoil = (draft, random) => {
  draft.contentType = badContentType(random);
};

function write(draft: Draft, operation: Operation): InjectOptions {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => draft.path[name] ?? '');
  const query = draft.query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const type = draft.contentType;
  const payload = draft.raw ?? (draft.body === undefined ? undefined : written(draft.body, type));
  return {
    method: draft.method as NonNullable<InjectOptions['method']>,
    url: `${path}${draft.suffix}${query === '' ? '' : `?${query}`}`,
    headers: { ...draft.headers, ...(type === undefined ? {} : { 'content-type': type }) },
    ...(payload === undefined || draft.method === 'GET' || draft.method === 'HEAD' ? {} : { payload }),
  };
}

function written(body: unknown, type: string | undefined): string {
  if (type !== 'application/x-www-form-urlencoded' || !isRecord(body)) return JSON.stringify(body);
  return Object.entries(body)
    .map(
      ([name, value]) =>
        `${encode(name)}=${encode(typeof value === 'string' ? value : JSON.stringify(value))}`,
    )
    .join('&');
}

/** Percent-encodes; a lone surrogate becomes the bytes it would have. */
function encode(text: string): string {
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : text.replaceAll(/[\s\S]/g, (one) => (one.isWellFormed() ? encodeURIComponent(one) : '%ED%A0%80'));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function entries<T>(record: Readonly<Record<string, T>>): [[string, T], ...[string, T][]] {
  return Object.entries(record) as [[string, T], ...[string, T][]];
}
