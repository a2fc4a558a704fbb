import pg from 'pg';
import type { BenchService } from '../data/world.ts';
import type { PageCase } from './cases.ts';

/** What the statements are written for. */
export interface Scope {
  readonly customerId: string;
  readonly services: readonly BenchService[];
}

export const lit = (text: string): string => pg.escapeLiteral(text);
export const uuids = (ids: readonly string[]): string => `'{${ids.join(',')}}'::uuid[]`;

/** The types a filter leaves; undefined: all. */
function typesOf({ filter }: PageCase, { services }: Scope): readonly string[] | undefined {
  if (filter.recordType !== undefined) return [filter.recordType];
  return services.find(({ id }) => id === filter.service)?.types.map(({ id }) => id);
}

const dayAfter = (day: string): string =>
  new Date(new Date(`${day}T00:00:00Z`).getTime() + 86_400_000).toISOString().slice(0, 10);

/** The conditions on `usage_record u`, with literals, so that the planner leaves other months alone. */
export function conditions(page: PageCase, scope: Scope): string[] {
  const types = typesOf(page, scope);
  const { agreement, serviceItem, number } = page.filter;
  return [
    `u.customer_id = ${lit(scope.customerId)}`,
    `u.started_at >= '${page.dateFrom} 00:00:00+00' and u.started_at < '${dayAfter(page.dateTo)} 00:00:00+00'`,
    ...(types === undefined
      ? []
      : [
          types.length === 1
            ? `u.record_type_id = ${lit(types[0] ?? '')}`
            : `u.record_type_id = any(${uuids(types)})`,
        ]),
    ...(agreement === undefined ? [] : [`u.agreement_id = ${lit(agreement)}`]),
    ...(serviceItem === undefined ? [] : [`u.service_item_id = ${lit(serviceItem)}`]),
    ...(number === undefined
      ? []
      : [`u.service_item2 >= ${lit(number)} and u.service_item2 < ${lit(number)} || chr(1114111)`]),
  ];
}

/** What an order compares, before time and id. Groups are read one after another, values through their index. */
export interface Sort {
  readonly groupBy?: 'service_item_id' | 'record_type';
  readonly value?: 'price' | 'units' | 'service_item2' | 'service_item3';
  /** Of the plain statement; `si` is the line, `r` the type. */
  readonly plain: readonly string[];
}

const sorts: Readonly<Record<PageCase['order'], Sort>> = {
  date: { plain: [] },
  price: { value: 'price', plain: ['u.price'] },
  units: { value: 'units', plain: ['u.units'] },
  serviceItem2: { value: 'service_item2', plain: ['u.service_item2'] },
  serviceItem3: { value: 'service_item3', plain: ['u.service_item3'] },
  serviceItemName: { groupBy: 'service_item_id', plain: ['si.name', 'si.id'] },
  serviceItemDescription: { groupBy: 'service_item_id', plain: ['si.description', 'si.name', 'si.id'] },
  siteName: { groupBy: 'service_item_id', plain: ['si.site', 'si.name', 'si.id'] },
  costCentre: { groupBy: 'service_item_id', plain: ['si.cost_centre', 'si.name', 'si.id'] },
  recordType: { groupBy: 'record_type', plain: ['r.description'] },
};

export const sortOf = (page: PageCase): Sort => sorts[page.order];

/** The columns the contract asks for, of a record `u` and what is joined to it. */
export const shownColumns = `u.id, u.started_at, si.name as service_item, si.description, u.service_item2, u.service_item3,
  si.site, u.units, u.price, u.has_price, r.description as record_type, r.unit, si.cost_centre, i.id as invoice_id,
  i.number as invoice_number, b.invoice_line_id`;

export const joined = (customerId: string): string => `
  join service_item si on si.customer_id = ${lit(customerId)} and si.id = u.service_item_id
  join record_type r on r.id = u.record_type_id
  left join usage_billed b on b.customer_id = ${lit(customerId)} and b.started_at = u.started_at and b.id = u.id
  left join invoice_line l on l.customer_id = ${lit(customerId)} and l.id = b.invoice_line_id
  left join invoice i on i.customer_id = ${lit(customerId)} and i.id = l.invoice_id`;
