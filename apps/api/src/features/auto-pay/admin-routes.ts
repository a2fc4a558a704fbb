import {
  type AutoPayRow,
  type AutoPayRun,
  autoPayPreview,
  autoPayPreviewQuery,
  autoPayRowPage,
  autoPayRowQuery,
  autoPayRunList,
  autoPayRunParams,
  autoPayRunQuery,
  type ForeseenCharge,
} from '@counterfoil/contract/operator/paying/auto-pay-runs.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { addDays, type Day, daysBetween, parseDay } from '@counterfoil/domain/time/day.ts';
import { AppError } from '../../app-error.ts';
import type { Db } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { findCustomerNamed } from '../admin/queries.ts';
import { findResellerZone } from '../brand/queries.ts';
import type { GatewayAccounts } from '../payments/service.ts';
import { nextStart } from './context.ts';
import { type Foreseen, previewPage } from './preview.ts';
import { countRuns, listRunRows, type RunRow } from './run-queries.ts';
import { latestDay } from './service.ts';

const tags = ['auto-pay'];
const path = '/v1/admin/auto-pay';
const MOST_DAYS = 366;
const USUAL_DAYS = 31;
const NOTHING = { data: [], nextCursor: null };

/** What Auto-Pay did and would do, for a provider's programs. All of it only reads. */
export function adminAutoPayRoutes(
  app: App,
  { db, clock, accounts }: { readonly db: Db; readonly clock: Clock; readonly accounts: GatewayAccounts },
): void {
  app.get(
    `${path}/preview`,
    {
      config: { access: 'program', scope: 'payments:read' },
      schema: {
        tags,
        operationId: 'previewAutoPay',
        summary: 'Who would be charged what by the next run, and who would be left out and why',
        description:
          'A dry run: nothing is written, nobody is told, and no gateway is asked. Every open invoice that is due soon is listed.',
        querystring: autoPayPreviewQuery,
        response: { 200: autoPayPreview },
      },
    },
    async (request) => {
      const { resellerId } = programOf(request);
      const { at: wanted, customer, cursor: after, limit } = request.query;
      const moment =
        wanted === undefined
          ? nextStart(await findResellerZone(db, resellerId), clock.now())
          : new Date(wanted);
      const at = moment.toISOString();
      const found = customer === undefined ? undefined : await findCustomerNamed(db, customer, resellerId);
      if (typeof found === 'string') return { at, ...NOTHING };
      const page = { resellerId, customerId: found?.customerId, after, limit };
      const { invoices, next } = await previewPage({ db, accounts, asksKeys: false }, moment, page);
      return { at, data: invoices.map(presentForeseen), nextCursor: next?.replaceAll('-', '') ?? null };
    },
  );

  app.get(
    `${path}/runs`,
    {
      config: { access: 'program', scope: 'payments:read' },
      schema: {
        tags,
        operationId: 'listAutoPayRuns',
        summary: 'The runs of Auto-Pay, one a day, the latest first',
        description: 'A day is one of the customers’ brands: its clocks decide when money is taken.',
        querystring: autoPayRunQuery,
        response: { 200: autoPayRunList },
      },
    },
    async (request) => {
      const to = parseDay(request.query.to ?? latestDay(clock.now()));
      const from = parseDay(request.query.from ?? addDays(to, 1 - USUAL_DAYS));
      if (daysBetween(from, to) >= MOST_DAYS)
        throw new AppError('request.invalid', {
          fields: [{ path: 'from', message: `is more than ${MOST_DAYS} days before` }],
        });
      const days = { from, to, brandId: request.query.brand };
      return { data: runsOf(await countRuns(db, programOf(request).resellerId, days)) };
    },
  );

  app.get(
    `${path}/runs/:day`,
    {
      config: { access: 'program', scope: 'payments:read' },
      schema: {
        tags,
        operationId: 'getAutoPayRun',
        summary: 'The invoices of one day’s run: charged, declined or left out, and why, page by page',
        params: autoPayRunParams,
        querystring: autoPayRowQuery,
        response: { 200: autoPayRowPage },
      },
    },
    async (request) => {
      const { resellerId } = programOf(request);
      const { brand: brandId, customer, outcome, cursor: after, limit } = request.query;
      const found = customer === undefined ? undefined : await findCustomerNamed(db, customer, resellerId);
      if (typeof found === 'string') return NOTHING;
      const day = parseDay(request.params.day);
      const filter = { resellerId, day, brandId, customerId: found?.customerId, outcome };
      const page = await listRunRows(db, { ...filter, after, limit });
      const last = page.at(-1)?.invoice_id;
      const more = page.length < limit ? [] : await listRunRows(db, { ...filter, after: last, limit: 1 });
      return {
        data: page.map(presentRow),
        nextCursor: more.length > 0 ? (last?.replaceAll('-', '') ?? null) : null,
      };
    },
  );
}

const presentForeseen = ({ resellerId: _, ...foreseen }: Foreseen): ForeseenCharge => foreseen;

const presentRow = (row: RunRow): AutoPayRow => ({
  invoiceId: row.invoice_id,
  invoice: row.number,
  customerId: row.customer_id,
  customer: row.label,
  currency: row.currency,
  at: row.at.toISOString(),
  outcome: row.outcome,
  reason: row.reason,
  amount: row.amount_minor === null ? null : formatDecimal(money(row.amount_minor, row.currency)),
  paymentId: row.attempt_id,
});

/** Adds up what was counted, day by day. */
function runsOf(counted: Awaited<ReturnType<typeof countRuns>>): AutoPayRun[] {
  const days = new Map<Day, AutoPayRun>();
  const none = { charged: 0, declined: 0, failed: 0, underWay: 0, skipped: 0 };
  for (const { day, outcome, reason, n, currency, taken_minor: minor } of counted) {
    const run = days.get(day) ?? { day, ...none, reasons: [], taken: [] };
    const isTaken = currency !== null && minor !== null;
    days.set(day, {
      ...run,
      [outcome]: run[outcome] + n,
      reasons: reason === null ? run.reasons : [...run.reasons, { reason, invoices: n }],
      taken: isTaken
        ? [...run.taken, { currency, amount: formatDecimal(money(minor, currency)) }]
        : run.taken,
    });
  }
  return [...days.values()];
}
