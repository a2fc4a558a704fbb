import { newId } from '@counterfoil/domain/text/ids.ts';
import type { InjectOptions } from 'fastify';
import { issueAccessToken } from '../../src/features/auth/tokens/access-token.ts';
import { sampleCall } from '../../src/features/imports/invoices/sample-documents.ts';
import { type Operation, operationsOf } from '../../src/http/answers/openapi-document.ts';
import { addThings, addWaysIn } from '../fixtures/customer-things.ts';
import { anotherCookie, invitedOperator, operatorCookie } from '../fixtures/operator.ts';
import { programKey } from '../fixtures/program.ts';
import type { TestFixture } from '../fixtures/test-fixture.ts';
import type { Callers } from './bad-request.ts';
import { type GoodRequest, goodRequest, type KnownValues, LEFT_OUT } from './good-request.ts';
import {
  knownBankEntries,
  knownBulk,
  knownInvoice,
  knownMethods,
  knownPayment,
  knownRuns,
} from './known-values/paying.ts';
import {
  knownBrand,
  knownCustomer,
  knownDesk,
  knownGateway,
  knownImport,
  knownMasterData,
  knownPeople,
} from './known-values/provider.ts';

/** Stands in somebody else's data only. */
export const FOREIGN_MARKER = 'somebody-elses';

/** Books and people in which the attack is tried, and its good requests. */
export interface Stage {
  readonly operations: readonly Operation[];
  readonly good: ReadonlyMap<Operation, GoodRequest>;
  readonly callers: Callers;
  /** Who the good requests are of. */
  readonly owner: Owner;
  /** Ends in a new session when the attack ended the old one. */
  readonly renewSession: () => Promise<void>;
}

export interface Owner {
  readonly userId: string;
  readonly customerId: string;
  readonly resellerId: number;
}

/** Two customers of two providers; one of them is the caller, the other must never be seen. */
export async function setStage(fixture: TestFixture): Promise<Stage> {
  const { reseller, customer } = await fixture.seedPayer();
  const payable = await fixture.seedPayable(customer);
  const stranger = await fixture.seedPayer();
  const foreign = await fixture.seedPayable(stranger.customer, { number: `${FOREIGN_MARKER}-invoice` });
  const things = await addThings(
    fixture,
    { customerId: customer.id, resellerId: reseller.id, mark: 'own' },
    payable.id,
  );
  const foreignThings = await addThings(
    fixture,
    { customerId: stranger.customer.id, resellerId: stranger.reseller.id, mark: FOREIGN_MARKER },
    foreign.id,
  );
  const session = await sessionsOf(fixture, reseller.id, customer.id);
  const { passkeyId } = await addWaysIn(fixture, session.userId, 'own');
  const program = await addProgram(fixture, reseller.id);
  const operator = await addOperator(fixture, reseller.id);
  const spare = await addSpareCustomer(fixture, reseller);
  const known: KnownValues = {
    id: { string: payable.id, integer: reseller.brandId },
    d: reseller.host,
    token: payable.token,
    uid: payable.token,
    reqUid: newId(),
    // Nothing is prepared here, so nothing is entered.
    entryId: LEFT_OUT,
    '/v1/entries/{entryId}/callback entryId': newId(),
    '/v1/ec/payments/entries scheme': 'own_debit',
    '/v1/ec/pay/{token}/entries scheme': 'own_debit',
    gateway: fixture.gateway.module.manifest.id,
    resellerId: reseller.id,
    invoiceLine: things.lineId,
    '/v1/ec/invoices ids': payable.id,
    '/v1/ec/invoices search': payable.number,
    '/v1/ec/invoices offset': 0,
    '/v1/ec/invoice/{id}/lines ids': things.lineId,
    '/v1/ec/invoice/{id}/lines offset': 0,
    '/v1/ec/transactions search': 'own',
    '/v1/ec/transactions offset': 0,
    '/v1/ec/service-items search': 'own',
    '/v1/ec/service-items offset': 0,
    '/v1/ec/service-items serviceItem': 'own',
    '/v1/ec/service-items costCentre': 'own',
    '/v1/ec/service-items label': 'own',
    '/v1/ec/service-items ids': things.serviceItemId,
    // It has none.
    '/v1/ec/service-items description': LEFT_OUT,
    invoiceNumber: payable.number,
    period: things.periodId,
    serviceItemIds: things.serviceItemId,
    service: things.serviceId,
    agreement: things.agreementId,
    recordType: things.recordTypeId,
    serviceItem: things.serviceItemId,
    '/v1/ec/usage number': 'own',
    '/v1/ec/usage/summary number': 'own',
    serviceId: things.serviceId,
    agreementId: things.agreementId,
    recordTypeId: things.recordTypeId,
    serviceItemId: things.serviceItemId,
    dateFrom: '2026-01-01',
    dateTo: '2026-03-31',
    // Not what is due: a payment that were tried would be refused, so nothing may change.
    invoiceAmount: '0.01',
    '/v1/ec/pay cardToken': 'tok_good',
    // A card, and no account beside it.
    '/v1/ec/pay paymentMethodId': LEFT_OUT,
    '/v1/ec/pay paymentMethodType': LEFT_OUT,
    '/v1/ec/pay total': '0.01',
    '/v1/ec/pay due': '0.01',
    email: 'payer@test.example',
    country: 'NZ',
    currency: 'USD',
    client_id: 'counterfoil-portal',
    grant_type: 'password',
    username: 'nobody@test.example',
    'x-customer-id': customer.id,
    '/v1/ec/sessions/{id} id': await session.another(),
    '/v1/ec/passkeys/{id} id': passkeyId,
    '/v1/ec/passkeys/{id}/removal id': passkeyId,
    '/v1/ec/preferences/{key} key': 'grid.invoices',
    '/v1/ec/billing-periods/{id} id': things.agreementId,
    '/v1/ec/service-items/{id} id': things.serviceItemId,
    '/v1/ec/cost-centres/changes/{id}/undo id': things.costCentreChangeId,
    '/v1/ec/reports id': 'payments',
    '/v1/ec/reports isStandard': false,
    '/v1/ec/reports value': '',
    '/v1/ec/reports/status/{id} id': things.reportJobId,
    '/v1/ec/reports/blob/{path} path': things.reportPath,
    '/v1/ec/usage/download startDate': '2026-01-01 00:00:00',
    '/v1/ec/usage/download endDate': '2026-03-31 23:59:59',
    '/v1/ec/usage/download number': 'own',
    ...knownMethods(things, customer.id),
    ...knownBulk(things, payable.id),
    '/v1/ec/payments/{id}/receipt id': things.paymentId,
    '/v1/ec/payment/receipt/{token}/{id} id': things.paymentId,
    '/v1/ec/invoice/{id}/pay-link id': things.linkedInvoiceId,
    '/v1/admin/external-payments cursor': newId().replaceAll('-', ''),
    '/v1/admin/external-payments customer': customer.id,
    '/v1/admin/external-payments reference': 'bank-1',
    '/v1/admin/external-payments amount': '12.50',
    '/v1/admin/external-payments currency': 'USD',
    // A day to come: what is asked is understood and refused, so nothing may change.
    '/v1/admin/external-payments receivedOn': '2999-01-05',
    '/v1/admin/external-payments method': 'cash',
    '/v1/admin/external-payments invoices.0': payable.number,
    '/v1/admin/external-payments/{id} id': things.externalPaymentId,
    '/v1/admin/external-payments/{id}/void id': things.externalPaymentId,
    ...knownPayment(things.declinedRefundId, customer.id, payable.number),
    ...knownDesk(things, customer.id),
    ...knownBrand(reseller.brandId),
    ...knownBankEntries(things, customer.id, payable.number),
    ...knownRuns(customer.id, payable.number),
    ...knownImport(program, customer.id, sampleCall()),
    ...knownInvoice(things.creditNoteId, customer.id, payable.number),
    ...knownCustomer(spare.id),
    ...knownMasterData(customer.id, things.serviceId),
    ...knownGateway(await addSpareAccount(fixture, reseller.id)),
    ...knownPeople(operator.otherId, operator.goneId, program.spareKeyId, reseller.id),
    '/v1/admin/usage-imports body': sampleCall(),
    '/v1/admin/usage-imports mapping': 'asterisk',
    '/v1/admin/usage-imports customer': customer.id,
    '/v1/admin/usage-imports timeZone': 'Europe/Stockholm',
    '/v1/admin/usage-imports/{id} id': program.importId,
    '/v1/operator/sessions/{id} id': operator.sessionId,
    '/v1/operator/passkeys/{id} id': operator.passkeyIds[0],
    '/v1/operator/passkeys/{id}/removal id': operator.passkeyIds[1],
    pageNumber: 1,
    pageSize: 25,
  };
  const document = await fixture.app.openapi();
  const operations = operationsOf(document);
  return {
    operations,
    good: new Map(operations.map((operation) => [operation, goodRequest(operation, known)])),
    callers: {
      ...session.callers,
      program: program.key,
      operator: operator.cookie,
      ownCustomerId: customer.id,
      foreignCustomerId: stranger.customer.id,
      foreignIds: [
        foreign.id,
        ...Object.values(foreignThings).flat(),
        stranger.customer.id,
        stranger.accountId,
      ],
    },
    owner: { userId: session.userId, customerId: customer.id, resellerId: reseller.id },
    renewSession: async () => {
      await session.renew();
      await operator.renew();
    },
  };
}

/** A customer of the provider's that programs change, so that the caller's stays as it is; two people sign in for it. */
async function addSpareCustomer(
  fixture: TestFixture,
  { id: resellerId }: { readonly id: number },
): Promise<{ readonly id: string }> {
  const { id } = await fixture.make.customer({ resellerId, brandId: resellerId, label: 'Spare' });
  const pool = fixture.database.pool();
  await pool.query(
    "update customer set external_ref = 'spare', email = 'spare@test.example', country = 'NZ', brand_id = null where customer_id = $1",
    [id],
  );
  await pool.query("insert into customer_identity values ($1, 'externalRef', 'spare', $2)", [resellerId, id]);
  for (const name of ['spare', 'invited'])
    await fixture.make.user({ resellerId, email: `${name}-${id}@test.example`, customerIds: [id] });
  const kept = { email: `kept-${id}@test.example`, passwordHash: '$x' };
  await fixture.make.user({ resellerId, ...kept, customerIds: [id] });
  return { id };
}

/** A gateway account out of use, whose settings do not fit. */
async function addSpareAccount(fixture: TestFixture, resellerId: number): Promise<string> {
  const id = newId();
  await fixture.database
    .pool()
    .query(
      `insert into gateway_account (id, reseller_id, gateway, config, is_active) values ($1, $2, 'scripted', '{}', false)`,
      [id, resellerId],
    );
  return id;
}

/** A program of the provider, and an import it has brought. */
async function addProgram(fixture: TestFixture, resellerId: number) {
  const { clock } = fixture.deps;
  const importId = newId();
  await fixture.database.pool().query(
    `insert into import_file (id, reseller_id, name, digest, format, state, file_key, started_at)
     values ($1, $2, 'own', '\\x', 'asterisk', 'done', 'imports/none.data', $3)`,
    [importId, resellerId, clock.now()],
  );
  const discardedId = newId();
  await fixture.database.pool().query(
    `insert into import_file (id, reseller_id, name, digest, state, started_at)
     values ($1, $2, 'given up', '\\x', 'discarded', $3)`,
    [discardedId, resellerId, clock.now()],
  );
  const entryIds = [newId(), newId()];
  for (const id of entryIds)
    await fixture.database.pool().query(
      `insert into quarantine_entry (id, reseller_id, file_id, kind, identity, ordinal, cause, reason, missing, first_seen_at,
                                     next_try_at)
       values ($1, $2, $3, 'file', $1, 1, 'file', 'own', '{}', $4, $4)`,
      [id, resellerId, discardedId, clock.now()],
    );
  const name = `bad input ${importId}`;
  await programKey(fixture, resellerId, `spare ${importId}`);
  const spare = await fixture.database
    .pool()
    .query('select id from api_key where name = $1', [`spare ${importId}`]);
  return {
    importId,
    discardedId,
    entryIds,
    key: await programKey(fixture, resellerId, name),
    spareKeyId: String(spare.rows[0]?.id),
  };
}

/** An operator of the provider, signed in at two places. */
async function addOperator(fixture: TestFixture, resellerId: number) {
  const { email } = await operatorCookie(fixture, resellerId);
  const { rows } = await fixture.database.pool().query('select id from operator_session order by id desc');
  const others = [
    await invitedOperator(fixture, resellerId, 'support'),
    await invitedOperator(fixture, resellerId, 'support'),
  ];
  const found = await fixture.database
    .pool()
    .query('select id from operator where email = any($1) order by id', [others.map((one) => one.email)]);
  let cookie = await anotherCookie(fixture, email);
  const passkeyIds = [newId(), newId()];
  for (const id of passkeyIds)
    await fixture.database.pool().query(
      `insert into operator_passkey (id, operator_id, credential_id, public_key, counter, transports, device_type,
         backed_up, aaguid, name, rp_id, created_at)
       select $1, id, $2, 'key', 0, '{}', 'multiDevice', true, gen_random_uuid(), 'own', 'localhost', $3
         from operator where email = $4`,
      [id, Buffer.from(id), fixture.clock.now(), email],
    );
  return {
    passkeyIds,
    /** The other place. */
    sessionId: String(rows[0]?.id),
    otherId: String(found.rows[0]?.id),
    /** One to be removed. */
    goneId: String(found.rows[1]?.id),
    cookie: () => cookie,
    async renew() {
      cookie = await anotherCookie(fixture, email);
    },
  };
}

async function sessionsOf(fixture: TestFixture, resellerId: number, customerId: string) {
  const { clock, secrets } = fixture.deps;
  const owner = await fixture.make.user({ resellerId, customerIds: [customerId] });
  const lonely = await fixture.make.user({ resellerId, customerIds: [] });
  const open = async (userId: string, at: Date): Promise<string> => {
    const sid = newId();
    await fixture.database.pool().query(
      `insert into user_session (id, user_id, created_at, last_used_at, expires_at, address, agent)
         values ($1, $2, $3, $3, $4, '127.0.0.1', 'test')`,
      [sid, userId, at, new Date(at.getTime() + 86_400_000)],
    );
    return sid;
  };
  const token = async (userId: string, at: Date): Promise<string> => {
    const sid = await open(userId, at);
    const claims = { sub: userId, sid, BrandId: 0, resellername: 'r', DisplayName: 'd' };
    return issueAccessToken(claims, secrets, { now: () => at });
  };
  let own = await token(owner.id, clock.now());
  return {
    userId: owner.id,
    /** Where the same user is signed in too. */
    another: () => open(owner.id, clock.now()),
    callers: {
      own: () => own,
      withoutCustomer: await token(lonely.id, clock.now()),
      expired: await token(owner.id, new Date(clock.now().getTime() - 3_600_000)),
    },
    async renew() {
      own = await token(owner.id, clock.now());
    },
  };
}

/** The request as it was meant, before it is spoilt. */
export function asMeant(stage: Stage, operation: Operation, good: GoodRequest): InjectOptions {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => good.path[name] ?? '');
  const isForm = good.contentType === 'application/x-www-form-urlencoded';
  const body = isForm ? new URLSearchParams(good.body as Record<string, string>).toString() : good.body;
  return {
    method: operation.method as NonNullable<InjectOptions['method']>,
    url: path,
    query: { ...good.query },
    headers: {
      ...proofOf(stage, operation),
      ...(good.contentType === undefined ? {} : { 'content-type': good.contentType }),
    },
    ...(body === undefined ? {} : { payload: body as string }),
  };
}

function proofOf({ callers }: Stage, { access }: Operation): Readonly<Record<string, string>> {
  if (access === 'public') return {};
  if (access === 'operator') return { cookie: callers.operator() };
  return { authorization: `Bearer ${access === 'program' ? callers.program : callers.own()}` };
}
