import { type Sql, sql } from '../../db/sql.ts';
import type { ReportParams } from './definition.ts';

/** Conditions that several reports share. */

/** That a day lies in the span, both ends included; true without one. */
export const withinDays = (day: Sql, { dateFrom, dateTo }: ReportParams): Sql =>
  dateFrom === undefined || dateTo === undefined
    ? sql`true`
    : sql`${day} between ${dateFrom}::date and ${dateTo}::date`;

/** That a usage record was measured in the span; its days are UTC, as everywhere with usage. */
export const measuredWithin = (startedAt: Sql, { dateFrom, dateTo }: ReportParams): Sql =>
  dateFrom === undefined || dateTo === undefined
    ? sql`true`
    : sql`${startedAt} >= ${dateFrom}::timestamp at time zone 'UTC'
          and ${startedAt} < (${dateTo}::date + 1)::timestamp at time zone 'UTC'`;

/** That a service is the chosen one; true without one. */
export const ofService = (serviceId: Sql, params: ReportParams): Sql =>
  params.serviceId === undefined ? sql`true` : sql`${serviceId} = ${params.serviceId}`;
