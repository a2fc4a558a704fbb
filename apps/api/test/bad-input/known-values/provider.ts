import type { CustomerThings } from '../../fixtures/customer-things.ts';
import { type KnownValues, LEFT_OUT } from '../good-request.ts';

/** What is asked for is there already: nothing changes but who is disabled, and that is another customer. */
export function knownCustomer(id: string): KnownValues {
  const path = '/v1/admin/customers';
  const user = `${path}/{id}/users/by-email/{email}`;
  const values = { reference: 'spare', label: 'Spare', email: 'spare@test.example' };
  const byId = [
    '',
    '/disable',
    '/enable',
    '/data-export',
    '/erasure',
    '/users',
    '/users/by-email/{email}',
    '/users/by-email/{email}/disable',
    '/users/by-email/{email}/enable',
    '/users/by-email/{email}/password-resets',
    '/users/by-email/{email}/sign-in-links',
    '/users/by-email/{email}/data-export',
    '/users/by-email/{email}/erasure',
  ].map((rest) => [`${path}/{id}${rest} id`, id] as const);
  return {
    ...Object.fromEntries(byId),
    [`${user}/invitations id`]: id,
    [`${user} email`]: `spare-${id}@test.example`,
    ...Object.fromEntries(
      ['disable', 'enable', 'password-resets', 'sign-in-links', 'data-export', 'erasure'].map((act) => [
        `${user}/${act} email`,
        `kept-${id}@test.example`,
      ]),
    ),
    [`${user}/invitations email`]: `invited-${id}@test.example`,
    // Only asks what would be erased.
    [`${path}/{id}/erasure forGood`]: false,
    [`${user}/erasure forGood`]: false,
    [`${path}/bulk body`]:
      '{"reference":"spare","label":"Spare","email":"spare@test.example","country":"NZ"}',
    '/v1/admin/invoices/bulk body':
      '{"reference":"spare","customer":"spare","issuedOn":"2026-03-01","currency":"USD","lines":[{"name":"Line","price":"1","amount":"1"}],"subtotal":"1","total":"1","payable":"1"}',
    '/v1/admin/services/bulk body': '{"reference":"spare","name":"Spare"}',
    '/v1/admin/external-payments/bulk body':
      '{"reference":"spare","customer":"spare","amount":"1.00","currency":"NZD","receivedOn":"2026-01-01","method":"cash"}',
    '/v1/admin/users/bulk body': '{"email":"spare@test.example","customer":"spare","displayName":"Spare"}',
    [`${path} cursor`]: '0'.repeat(32),
    ...Object.fromEntries(
      [path, `${path}/by-reference/{reference}`].flatMap((at) =>
        Object.entries(values).map(([name, value]) => [`${at} ${name}`, value]),
      ),
    ),
  };
}

/** A mail on its way and an event that was followed up: what is asked of them is understood and refused, so nothing may change. */
export function knownDesk(
  { mailId, eventId, endpointIds: [endpoint, spare, rotated], messageId }: CustomerThings,
  customerId: string,
): KnownValues {
  const [mails, events] = ['/v1/admin/mails', '/v1/admin/webhook-events'];
  const hooks = '/v1/admin/webhook-endpoints';
  const deliveries = `${hooks}/{id}/deliveries`;
  return {
    // Refused: it is neither https nor allowed otherwise, so that none is made.
    [`${hooks} url`]: 'http://receiver.example/',
    ...Object.fromEntries(
      [
        '/test',
        '/redeliver',
        '/deliveries',
        '/deliveries/{messageId}',
        '/deliveries/{messageId}/redeliver',
      ].map((rest) => [`${hooks}/{id}${rest} id`, endpoint]),
    ),
    [`${hooks}/{id} id`]: spare,
    [`${hooks}/{id}/rotate-secret id`]: rotated,
    [`${hooks}/{id}/redeliver since`]: '2026-01-01T00:00:00Z',
    [`${deliveries} object`]: messageId,
    [`${deliveries} cursor`]: 'f'.repeat(32),
    [`${deliveries}/{messageId} messageId`]: messageId,
    [`${deliveries}/{messageId}/redeliver messageId`]: messageId,
    ...Object.fromEntries(['', '/resend', '/dismiss'].map((rest) => [`${mails}/{id}${rest} id`, mailId])),
    ...Object.fromEntries(['', '/retry', '/dismiss'].map((rest) => [`${events}/{id}${rest} id`, eventId])),
    [`${mails} customer`]: customerId,
    [`${mails} address`]: 'own@test.example',
    [`${mails}/{id}/resend address`]: 'payer@test.example',
    [`${mails} cursor`]: 'f'.repeat(32),
    [`${events} cursor`]: eventId.replaceAll('-', ''),
    '/v1/admin/money day': '2026-01-05',
    job: '4711',
    round: 'auto-pay',
  };
}

/** An account out of use whose settings do not fit, so that it is refused; of the one in use the settings that it has. */
export function knownGateway(accountId: string): KnownValues {
  const path = '/v1/admin/gateway-accounts';
  const byId = ['', '/enable', '/disable', '/check', '/verification'].map(
    (rest) => [`${path}/{id}${rest} id`, accountId] as const,
  );
  return {
    ...Object.fromEntries(byId),
    [`${path}/by-gateway/{gateway} gateway`]: 'scripted',
    [`${path}/{id}/verification areTestKeys`]: false,
  };
}

/** Another operator, and a key: what lets people or programs in is refused, for the code is wrong. */
export function knownPeople(
  operatorId: string,
  goneId: string,
  keyId: string,
  resellerId: number,
): KnownValues {
  const [operators, keys] = ['/v1/operator/operators', '/v1/operator/api-keys'];
  const ids = ['', '/disable', '/enable', '/reset', '/invitation', '/invitation/withdrawal'].map((rest) => [
    `${operators}/{id}${rest} id`,
    operatorId,
  ]);
  const keyIds = ['/rotate', '/revoke'].map((rest) => [`${keys}/{id}${rest} id`, keyId]);
  const sso = '/v1/operator/sso';
  const bodies = [operators, `${operators}/{id}`, keys, sso, `${sso}/test`, `${sso}/removal`].map((path) => [
    `${path} resellerId`,
    resellerId,
  ]);
  const expiry = [keys, `${keys}/{id}/rotate`].map((path) => [`${path} expiresAt`, '2999-01-01T00:00:00Z']);
  return Object.fromEntries([
    ...ids,
    [`${operators}/{id}/removal id`, goneId],
    ...keyIds,
    ...bodies,
    ...expiry,
  ]);
}

/** A page before all that is there, and all of it. */
const auditTrail: KnownValues = {
  '/v1/admin/audit-events cursor': 'f'.repeat(32),
  ...Object.fromEntries(
    ['/v1/admin/audit-events', '/v1/admin/audit-events/export'].flatMap((path) => [
      [`${path} action`, 'customer.changed'],
      [`${path} customer`, 'spare'],
      [`${path} since`, '2026-01-01T00:00:00Z'],
      [`${path} until`, '2026-12-31T00:00:00Z'],
    ]),
  ),
};

const journal: KnownValues = {
  '/v1/admin/journal from': '2026-03-01',
  '/v1/admin/journal to': '2026-03-31',
  '/v1/admin/journal customer': 'spare',
};

/** An import that was given up, and what it has set aside and not kept: it is understood, and refused or changes nothing else. */
export function knownImport(
  {
    discardedId: id,
    entryIds: [kept, dropped],
  }: { readonly discardedId: string; readonly entryIds: readonly string[] },
  customerId: string,
  file: string,
): KnownValues {
  const [imports, quarantine] = ['/v1/admin/imports', '/v1/admin/quarantine'];
  return {
    ...Object.fromEntries(
      ['', '/columns', '/start', '/stop', '/discard', '/undo'].map((rest) => [
        `${imports}/{id}${rest} id`,
        id,
      ]),
    ),
    [`${quarantine}/{id}/retry id`]: kept,
    [`${quarantine}/{id} id`]: dropped,
    [`${imports} body`]: file,
    [`${imports} mapping`]: 'asterisk',
    [`${imports} customer`]: customerId,
    [`${imports} timeZone`]: 'Europe/Stockholm',
    [`${imports}/{id}/columns mapping`]: LEFT_OUT,
    [`${imports} cursor`]: 'f'.repeat(32),
    [`${quarantine} cursor`]: '0'.repeat(32),
    [`${quarantine} import`]: id,
    [`${quarantine}/retry import`]: id,
    [`${quarantine}/{id}/retry customer`]: customerId,
  };
}

/** A brand that is there, and one that is refused because of its time zone, so that none is made. */
export function knownBrand(id: number): KnownValues {
  const path = '/v1/admin/brands';
  const put = `${path}/by-reference/{reference}`;
  return {
    [`${path} cursor`]: '1',
    [`${path}/{id} id`]: id,
    [`${path}/{id}/images/{kind} id`]: id,
    [`${path}/{id}/images/{kind} body`]: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    [`${put} reference`]: 'own',
    [`${put} name`]: 'own',
    [`${put} currency`]: 'USD',
    [`${put} timeZone`]: 'Mars/North',
    '/v1/admin/reseller name': 'own',
    '/v1/admin/resellers cursor': '1',
    '/v1/admin/search q': 'own',
    '/v1/admin/today/snoozes id': 'own',
    '/v1/admin/today/snoozes state': '0'.repeat(16),
    // Has passed: it is refused, and nothing changes.
    '/v1/admin/today/snoozes until': '2020-01-01T00:00:00Z',
    ...auditTrail,
    ...journal,
  };
}

/** A customer that is not known in the place of whose it is, and a service that is there already: nothing changes. */
export function knownMasterData(customerId: string, serviceId: string): KnownValues {
  const service = '/v1/admin/services/by-reference/{service}';
  const kinds = ['agreements', 'billing-periods', 'service-items', 'bundles', 'charges', 'adjustments'].map(
    (kind) => `/v1/admin/${kind}`,
  );
  return {
    '/v1/admin/services cursor': 'a',
    ...Object.fromEntries(
      ['', '/record-types', '/record-types/by-reference/{recordType}'].flatMap((rest) => [
        [`${service}${rest} service`, serviceId],
        [`${service}${rest} recordType`, 'DATA'],
        [`${service}${rest} name`, 'own'],
        [`${service}${rest} description`, 'own'],
        [`${service}${rest} cursor`, 'A'],
      ]),
    ),
    ...Object.fromEntries(
      kinds.flatMap((path) => [
        [`${path} cursor`, '0'.repeat(64)],
        [`${path} customer`, customerId],
        [`${path} service`, serviceId],
        [`${path} name`, 'own'],
        [`${path}/bulk body`, '{"reference":"own","remove":true}'],
        ...Object.entries({
          customer: 'not known',
          agreement: 'own',
          from: '2026-01-01',
          to: '2026-01-31',
          startedOn: '2026-01-01',
          currency: 'USD',
          price: '1',
          amount: '1',
          tax: '0',
          quantity: '1',
          recordUnits: '1',
          used: '1',
          usedMonth: '2026-01',
          bookedOn: '2026-01-01',
        }).map(([name, value]) => [`${path}/by-reference/{reference} ${name}`, value]),
      ]),
    ),
  };
}
