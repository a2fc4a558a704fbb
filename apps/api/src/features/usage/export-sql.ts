import pg from 'pg';
import { csvText } from '../../db/copy/csv-text.ts';
import type { Db } from '../../db/database.ts';
import { compile, type Sql, sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { type UsageFilter, usageCondition } from './filter.ts';
import { type UsageSort, usageOrderBy } from './pages/sort.ts';

/** Which records, in which order. */
export interface ExportRows {
  readonly filter: UsageFilter;
  readonly sort: UsageSort;
  /** Only what this line billed. */
  readonly invoiceLine?: string;
  /** More lines than a part has records: they are looked up one by one, not all of them for each part. */
  readonly hasManyLines: boolean;
}

/** Whether there are more lines than that. */
export const hasMoreLines = (db: Db, scope: CustomerScope, than: number) =>
  db.one<{ is_so: boolean }>(sql`
    select exists (select from service_item where customer_id = ${scope.customerId} offset ${than}) as is_so`);

/** What is no number is quoted. */
const TEXT_CELLS = [
  'time_cell',
  'name_cell',
  'description_cell',
  'item2_cell',
  'item3_cell',
  'site_cell',
  'type_cell',
  'unit_cell',
];

/** The cells of the file. */
export const csvStatement = (scope: CustomerScope, rows: ExportRows, withCostCentre: boolean): string =>
  copyText(
    scope,
    rows,
    {
      select: sql`replace((u.started_at at time zone 'UTC')::text, ' ', 'T') || 'Z' as time_cell, si.name_cell,
        si.description_cell, ${csvText(sql`u.service_item2`)} as item2_cell, ${csvText(sql`u.service_item3`)} as item3_cell,
        si.site_cell, trim_scale(u.units), case when u.has_price then trim_scale(u.price) end, r.type_cell
        ${withCostCentre ? sql`, si.cost_centre_cell` : sql``}, r.unit_cell`,
      ofLine: sql`${csvText(sql`s.name`)} as name_cell, ${csvText(sql`s.description`)} as description_cell,
        ${csvText(sql`s.site`)} as site_cell, ${csvText(sql`s.cost_centre`)} as cost_centre_cell`,
      ofType: sql`${csvText(sql`t.description`)} as type_cell, t.unit as unit_cell`,
      joins: sql``,
    },
    `format csv, force_quote (${[...TEXT_CELLS, ...(withCostCentre ? ['cost_centre_cell'] : [])].join(', ')})`,
  );

const json = (text: Sql) => sql`coalesce(to_json(${text})::text, 'null')`;

/** Records as the pages show them, each a JSON object. */
export const jsonStatement = (scope: CustomerScope, rows: ExportRows): string =>
  copyText(
    scope,
    rows,
    {
      select: sql`concat('{"id":"', u.id,
        '","date":"', to_char(u.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '",',
        si.begins, ',"serviceItem2":', to_json(u.service_item2), ',"serviceItem3":', to_json(u.service_item3),
        si.site_member, ',"units":', trim_scale(u.units),
        ',"price":', case when u.has_price then trim_scale(u.price)::text else 'null' end,
        r.member, si.cost_centre_member, ',"billedBy":',
        case when i.id is null then 'null' else concat('{"invoiceId":"', i.id, '","invoiceNumber":',
          to_json(i.number), ',"invoiceLineId":"', b.invoice_line_id, '"}') end, '}')`,
      ofLine: sql`
        concat('"serviceItemName":', ${json(sql`s.name`)},
               ',"serviceItemDescription":', ${json(sql`s.description`)}) as begins,
        concat(',"siteName":', ${json(sql`s.site`)}) as site_member,
        concat(',"costCentre":', ${json(sql`s.cost_centre`)}) as cost_centre_member`,
      ofType: sql`concat(',"recordType":', ${json(sql`t.description`)}, ',"unit":', ${json(sql`t.unit`)}) as member`,
      joins: sql`
        left join usage_billed b on b.customer_id = u.customer_id and b.started_at = u.started_at and b.id = u.id
        left join invoice_line l on l.customer_id = b.customer_id and l.id = b.invoice_line_id
        left join invoice i on i.customer_id = l.customer_id and i.id = l.invoice_id`,
    },
    // JSON has no control characters, so with these nothing is ever quoted and each row is its text.
    `format csv, delimiter e'\\x01', quote e'\\x02'`,
  );

/** What rows are made of: of records `u`, and of columns made once for each line `s` and type `t`. */
interface RowParts {
  readonly select: Sql;
  readonly ofLine: Sql;
  readonly ofType: Sql;
  readonly joins: Sql;
}

/** COPY takes no parameters: each `$n` becomes a literal, quoted by the driver. */
function copyText(scope: CustomerScope, rows: ExportRows, parts: RowParts, format: string): string {
  const { text, values } = compile(sql`
    with types as materialized (
      select t.id, t.description, ${parts.ofType} from record_type t where t.reseller_id = ${scope.resellerId})
    ${rows.hasManyLines ? sql`` : sql`, lines as materialized (${linesOf(scope, parts)})`}
    select ${parts.select}
      from ${recordsOf(scope, rows)}
      ${rows.hasManyLines ? oneByOne(scope, parts) : sql`join lines si on si.id = u.service_item_id`}
      join types r on r.id = u.record_type_id
      ${parts.joins}
     where ${usageCondition(scope, rows.filter)}
     order by ${usageOrderBy(rows.sort)}`);
  const inlined = text.replaceAll(/\$(\d+)/g, (_all, n: string) => literal(values[Number(n) - 1]));
  return `copy (${inlined}) to stdout (${format})`;
}

const linesOf = (scope: CustomerScope, { ofLine }: RowParts) => sql`
  select s.id, s.name, s.description, s.site, s.cost_centre, ${ofLine}
    from service_item s where s.customer_id = ${scope.customerId}`;

/** The line of a record when it is needed. `offset 0` keeps its columns from being made again for each record. */
const oneByOne = (scope: CustomerScope, parts: RowParts) => sql`
  cross join lateral (${linesOf(scope, parts)} and s.id = u.service_item_id offset 0) si`;

/** Records `u`; those of an invoice line are looked up by it. */
const recordsOf = (scope: CustomerScope, { invoiceLine }: ExportRows) =>
  invoiceLine === undefined
    ? sql`usage_record u`
    : sql`(select started_at, id from usage_billed
            where customer_id = ${scope.customerId} and invoice_line_id = ${invoiceLine}) k
      join usage_record u on u.customer_id = ${scope.customerId} and u.started_at = k.started_at and u.id = k.id`;

/** How many records of a filter each day has (of one line: each month), to cut it into ranges by. */
export function countsOf(scope: CustomerScope, filter: UsageFilter): Sql<{ day: string; n: number }> {
  const { agreementId, recordTypeIds, serviceItemId, from, until } = filter;
  const mine = sql`customer_id = ${scope.customerId}`;
  const ofAgreement = agreementId === undefined ? sql`` : sql`and agreement_id = ${agreementId}`;
  if (serviceItemId !== undefined)
    return sql`
      select month::text as day, sum(n)::int as n from usage_item_month
       where ${mine} and service_item_id = ${serviceItemId} ${ofAgreement}
         and month >= ${from}::timestamptz - interval '1 month' and month < ${until}::timestamptz
       group by month having sum(n) > 0 order by month`;
  const within = sql`day >= (${from}::timestamptz at time zone 'UTC')::date
    and day < (${until}::timestamptz at time zone 'UTC')::date`;
  if (agreementId === undefined && recordTypeIds === undefined)
    return sql`select day::text as day, n from usage_day where ${mine} and ${within} and n > 0 order by day`;
  const ofTypes =
    recordTypeIds === undefined ? sql`` : sql`and record_type_id = any(${[...recordTypeIds]}::uuid[])`;
  return sql`
    select day::text as day, sum(n)::int as n from usage_type_day
     where ${mine} ${ofTypes} ${ofAgreement} and ${within} group by day having sum(n) > 0 order by day`;
}

function literal(value: unknown): string {
  if (typeof value === 'string') return pg.escapeLiteral(value);
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return `${pg.escapeLiteral(value.toISOString())}::timestamptz`;
  // Of ids, which need no quoting inside the braces.
  if (Array.isArray(value) && value.every((id) => typeof id === 'string' && /^[\da-f-]+$/i.test(id)))
    return pg.escapeLiteral(`{${value.join(',')}}`);
  throw new Error(`a value of an export has no literal: ${typeof value}`);
}
