import type { Operation, Schema } from '../../src/http/answers/openapi-document.ts';

/** A place in a request that may name a thing of somebody's. */
export interface Slot {
  readonly place: 'path' | 'query' | 'body';
  /** Members of members are joined by dots; the first element of a list is `0`. */
  readonly name: string;
  readonly isUuid: boolean;
}

/** What looks like an id and names nothing that belongs to anybody, and why. By name, or `METHOD /path name`. */
const NOT_IDS: Readonly<Record<string, string>> = {
  pageNumber: 'counts pages',
  job: 'a job of the installation; who is bound to a reseller is refused before it is looked for (features/installation/routes.test.ts)',
  round: 'the name of what the installation does again and again; refused as jobs are',
  recoveryCode: 'proves the second factor of the caller; looked for among their own only',
  code: 'what an authenticator app shows; proves the second factor of the caller',
  challengeId: 'what a device is asked to sign; bound to the session that asked, and random',
  exportTypeId: 'says whether csv, pdf or xlsx',
  'PUT /v1/ec/preferences/{key} key': 'names a choice of the caller; the same for everybody',
  'GET /v1/ec/usage number': 'how a number that was called begins; looked for among the caller’s own records',
  'POST /v1/ec/usage/download parameters.number':
    'how a number that was called begins; looked for among the caller’s own records',
  'GET /v1/ec/usage/summary number':
    'how a number that was called begins; looked for among the caller’s own records',
  reference:
    'the provider’s own name of a customer or of a thing of its; looked for among those of the key’s reseller only, and one that is not known names a new one (features/customers/admin-routes.test.ts)',
  service:
    'the code of a service; looked for among those of the key’s reseller only (features/master-data/master-data.test.ts)',
  recordType: 'the code of a record type within a service of the key’s reseller',
  numbers:
    'by what a service item is known; one that another item has is refused (features/master-data/master-data.test.ts)',
  email: 'a person’s address; whose user it is decides (features/customers/user-routes.test.ts)',
  'POST /v1/admin/today/snoozes id': 'compared with what the caller’s own Today has; nothing is found by it',
  'POST /v1/admin/payments/{id}/resolve gatewayId': 'what a gateway calls a payment; kept as it was said',
  'GET /v1/admin/invoices number':
    'looked for among the invoices of the key’s reseller only (features/admin-invoices/routes.test.ts)',
  'GET /v1/admin/import-kinds/{kind}/template kind': 'names a kind of file, the same for everybody',
  'GET /v1/admin/auto-pay/runs/{day} day': 'a day of the calendar, of the key’s reseller only',
  'PUT /v1/admin/gateway-accounts/by-gateway/{gateway} gateway':
    'names a kind of gateway, the same for everybody',
  'POST /v1/operator/operators resellerId':
    'for whom an operator acts; another reseller’s is answered like one that is not there (features/operators/people-routes.test.ts)',
  'PUT /v1/operator/operators/{id} resellerId': 'the same',
  'POST /v1/operator/api-keys resellerId': 'the same of a key',
  'PUT /v1/operator/sso resellerId': 'the same of single sign-on (features/operators/sso.test.ts)',
  'POST /v1/operator/sso/test resellerId': 'the same',
  'POST /v1/operator/sso/removal resellerId': 'the same',
  'PUT /v1/operator/sso clientId': 'what a provider calls the console',
  'POST /v1/admin/quarantine/{id}/retry values':
    'what stands in columns of the row from now on; whose it is, their import finds out',
  endServiceId: 'a setting of a brand; a text that pages show',
  directDebitPaymentMethodId: 'a setting of a brand: a kind of account at its gateway',
  taxNumber: 'a setting of a brand; a text on letters',
  vatId: 'a setting of a brand; a text on e-invoices',
  legalId: 'the same',
  postalCode: 'a part of an address',
  'PUT /v1/admin/brands/{id}/images/{kind} kind': 'says which picture',
  'DELETE /v1/admin/brands/{id}/images/{kind} kind': 'says which picture',
  prepaid: 'an amount of an invoice',
  brandId: 'looked for among the brands of the key’s reseller only (features/customers/admin-routes.test.ts)',
  'POST /v1/ec/reports id': 'names a kind of report, the same for everybody',
  'POST /v1/ec/payments/cards token': 'made by the provider’s script, and worth nothing to anybody else',
  'POST /v1/ec/payments/setup-intent paymentMethodId': 'made by the provider’s script, for what is saved now',
  'POST /v1/ec/payments/setup-intent/result descriptorCode':
    'stands on the bank statement of the account’s holder',
  'POST /v1/ec/payments/intents id': 'the portal’s own, given back unchanged',
  'POST /v1/ec/payments/pay/bulk cardToken':
    'made by the provider’s script, and worth nothing to anybody else',
  type: 'says whether a card or an account',
  entryId:
    'an entry is taken only by the customer, account and payment it was made for (features/entries/entries.test.ts)',
  cardNumber: 'a card’s, refused unless the account takes numbers; it names nothing here',
  cardCode: 'a card’s, refused unless the account takes numbers; it names nothing here',
  accountNumber: 'a bank account’s, refused unless the account takes numbers; it names nothing here',
  bankAccountNumber: 'a bank account’s, refused unless the account takes numbers; it names nothing here',
  routingNumber: 'of a bank; it names nothing here',
  'POST /v1/operator/passkeys credential.id': 'made by the device, for what is added now',
  'POST /v1/operator/passkeys credential.rawId': 'made by the device, for what is added now',
  'POST /v1/operator/session/passkey credential.id':
    'a passkey that signs; without its signature it is refused (features/operators/passkeys.test.ts)',
  'POST /v1/operator/session/passkey credential.rawId': 'the same',
  'POST /v1/ec/passkeys credential.id': 'made by the device, for what is added now',
  'POST /v1/ec/passkeys credential.rawId': 'made by the device, for what is added now',
};

/**
 * Ids that are no UUIDs, by `METHOD /path name`: whose values are foreign to the caller. UUIDs need no entry: every
 * id in a row of somebody else is tried.
 */
const OTHERS: Readonly<Record<string, 'brand'>> = {
  'GET /v1/brands-settings/{id} id': 'brand',
  'GET /v1/admin/brands/{id} id': 'brand',
  'PUT /v1/admin/brands/{id} id': 'brand',
  'POST /v1/admin/brands/{id}/previews id': 'brand',
  'PUT /v1/admin/brands/{id}/images/{kind} id': 'brand',
  'DELETE /v1/admin/brands/{id}/images/{kind} id': 'brand',
};

/** Opaque tokens that are UUIDs on the stage, so that every id in a row of somebody else is tried there too. */
const OPAQUE: ReadonlySet<string> = new Set([
  'GET /v1/ec/reports/blob/{path} path',
  'GET /v1/ec/payments/intents/{sessionId} sessionId',
  'POST /v1/ec/payments/intents/{sessionId} sessionId',
  'GET /v1/ec/scripted/pay/bulk-template/{sessionId} sessionId',
  'GET /v1/ec/payments/checkout-session/{id} id',
  'POST /v1/ec/payments/checkout-session/{id} id',
  'POST /v1/ec/payments/pay/bulk uid',
  'POST /v1/ec/payments/entries uid',
  'GET /v1/ec/invoices ids',
  'GET /v1/ec/invoice/{id}/lines ids',
  'GET /v1/ec/service-items ids',
]);

/** Ids that narrow the caller's own list: one that nothing of theirs has leaves it empty instead of being refused. */
const FILTERS: ReadonlySet<string> = new Set([
  'GET /v1/ec/service-items service',
  'GET /v1/ec/invoices ids',
  'GET /v1/ec/invoice/{id}/lines ids',
  'GET /v1/ec/service-items ids',
  'GET /v1/admin/webhook-endpoints/{id}/deliveries object',
  'GET /v1/admin/bank-entries import',
]);

const LOOKS_LIKE_ID = /(^|[a-z_])(id|uid|token|number|ref|code|key)s?$/i;

export const nameOf = (operation: Operation): string => `${operation.method} ${operation.path}`;

/** Where a call names things. @throws {Error} when something may be an id and nothing is known of it */
export function slotsOf(operation: Operation): Slot[] {
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const found: Slot[] = [
    ...(operation.parameters ?? []).flatMap(({ name, in: place, schema }) =>
      place === 'header' ? [] : [{ place, name, isUuid: mayBeUuid(schema) }],
    ),
    ...(body === undefined ? [] : membersOf(body, '').map((slot) => ({ ...slot, place: 'body' as const }))),
  ].map((slot) => ({ ...slot, isUuid: slot.isUuid || OPAQUE.has(`${nameOf(operation)} ${slot.name}`) }));
  return found.filter((slot) => {
    if (slot.isUuid || kindOf(operation, slot) !== undefined) return true;
    const last = slot.name.split('.').findLast((part) => !/^\d+$/.test(part)) ?? slot.name;
    const mayBeId = slot.place === 'path' || LOOKS_LIKE_ID.test(last);
    if (!mayBeId || last in NOT_IDS || `${nameOf(operation)} ${slot.name}` in NOT_IDS) return false;
    throw new Error(
      `${nameOf(operation)}: does '${slot.name}' in its ${slot.place} name a thing of somebody's? Say so in apps/api/test/access-matrix/ids.ts`,
    );
  });
}

/** What a slot that is no UUID names. */
export function kindOf(operation: Operation, slot: Slot): 'brand' | undefined {
  return OTHERS[`${nameOf(operation)} ${slot.name}`];
}

/** Whether an unknown id in this slot is answered with an empty list. */
export function isFilter(operation: Operation, slot: Slot): boolean {
  return FILTERS.has(`${nameOf(operation)} ${slot.name}`);
}

function membersOf(schema: Schema, name: string): Omit<Slot, 'place'>[] {
  const within = (member: string) => (name === '' ? member : `${name}.${member}`);
  if (schema.anyOf?.[0] !== undefined) return membersOf(schema.anyOf[0], name);
  if (schema.type === 'object')
    return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => membersOf(member, within(key)));
  if (schema.type === 'array') return membersOf(schema.items ?? {}, within('0'));
  return schema.type === 'boolean' || schema.enum !== undefined || schema.const !== undefined
    ? []
    : [{ name, isUuid: mayBeUuid(schema) }];
}

/** An id, or one that may also be left empty. */
function mayBeUuid(schema: Schema | undefined): boolean {
  return schema?.format === 'uuid' || (schema?.anyOf ?? []).some(mayBeUuid);
}
