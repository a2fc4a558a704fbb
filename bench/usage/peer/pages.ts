import type { PageCase } from '../pages/cases.ts';
import type { Scope } from '../pages/conditions.ts';

/** What the peer is shown: the records with the names a page has, in a schema of its own. */
export const VIEW = {
  make: `
    create schema if not exists peer;
    create or replace view peer.record as
      select u.id, u.customer_id, u.started_at, u.record_type_id, u.agreement_id, u.service_item_id, si.name as service_item,
             si.description, u.service_item2, u.service_item3, si.site, u.units, u.price, u.has_price, r.description as record_type,
             r.unit::text as unit, si.cost_centre, i.id as invoice_id, i.number as invoice_number, b.invoice_line_id
        from usage_record u
        join service_item si on si.customer_id = u.customer_id and si.id = u.service_item_id
        join record_type r on r.id = u.record_type_id
        left join usage_billed b on b.customer_id = u.customer_id and b.started_at = u.started_at and b.id = u.id
        left join invoice_line l on l.customer_id = u.customer_id and l.id = b.invoice_line_id
        left join invoice i on i.customer_id = u.customer_id and i.id = l.invoice_id`,
  drop: 'drop schema peer cascade',
};

const orders = { date: [], price: ['PRICE'], units: ['UNITS'], serviceItem2: ['SERVICE_ITEM2'] } as const;

const isOrder = (order: string): order is keyof typeof orders => order in orders;

/** Whether the peer can sort so: orders by a line compare names as the product does, which the peer does not know. */
export const wantedOfPeer = ({ order }: PageCase): boolean => isOrder(order);

const dayAfter = (day: string): string =>
  new Date(new Date(`${day}T00:00:00Z`).getTime() + 86_400_000).toISOString();

/** The question for a page. @param offset rows before it @param size rows of it */
export function peerPage(
  page: PageCase,
  { customerId, services }: Scope,
  offset: number,
  size: number,
): string {
  const { service, recordType, agreement, serviceItem } = page.filter;
  const types =
    recordType === undefined
      ? services.find(({ id }) => id === service)?.types.map(({ id }) => id)
      : [recordType];
  const filter = [
    `customerId: { equalTo: "${customerId}" }`,
    `startedAt: { greaterThanOrEqualTo: "${page.dateFrom}T00:00:00Z", lessThan: "${dayAfter(page.dateTo)}" }`,
    ...(types === undefined ? [] : [`recordTypeId: { in: ${JSON.stringify(types)} }`]),
    ...(agreement === undefined ? [] : [`agreementId: { equalTo: "${agreement}" }`]),
    ...(serviceItem === undefined ? [] : [`serviceItemId: { equalTo: "${serviceItem}" }`]),
  ];
  const direction = page.isDescending ? 'DESC' : 'ASC';
  const by = isOrder(page.order) ? orders[page.order] : [];
  const orderBy = [...by, 'STARTED_AT', 'ID'].map((column) => `${column}_${direction}`);
  return `{ allRecords(filter: { ${filter.join(', ')} }, orderBy: [${orderBy.join(', ')}], first: ${size}, offset: ${offset}) {
    totalCount
    nodes { id startedAt serviceItem description serviceItem2 serviceItem3 site units price hasPrice recordType unit costCentre
      invoiceId invoiceNumber invoiceLineId } } }`;
}
