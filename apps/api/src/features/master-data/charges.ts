import type { ChargeValues } from '@counterfoil/contract/operator/billing/charges.ts';
import { checkLine } from '@counterfoil/domain/money/invoice-sums.ts';
import {
  formatDecimal,
  isCurrencyCode,
  type Money,
  money,
  parseMoney,
  zero,
} from '@counterfoil/domain/money/money.ts';
import { parseRate } from '@counterfoil/domain/money/rate.ts';
import type { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { customersNamed } from '../admin/queries.ts';
import {
  type Change,
  customerJoin,
  type Entity,
  ownedColumns,
  type StoredRow,
  thingsOf,
  type Wanted,
} from './entity.ts';
import {
  agreementsNamed,
  invalid,
  type NamedItem,
  type NamedThing,
  notKnown,
  serviceItemsNamed,
  servicesNamed,
} from './named.ts';

interface KeptCharge {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly service: string | null;
  readonly serviceItem: string;
  readonly agreement: string | null;
  readonly site: string;
  readonly costCentre: string | null;
  readonly from: string;
  readonly to: string | null;
  readonly quantity: string;
  readonly unit: string;
  readonly price: string;
  readonly currency: string;
  /** Minor units, as JSON carries them. */
  readonly amountMinor: string;
  readonly taxMinor: string;
  readonly extra: readonly string[];
}

/** Charges of customers that no invoice carries yet: transactions, and what the next bill is made of. */
export const charges: Entity<ChargeValues, KeptCharge> = {
  kind: 'charge',
  present({ amountMinor, taxMinor, extra, ...kept }) {
    const decimal = (minor: string) => formatDecimal(money(BigInt(minor), kept.currency));
    return { ...kept, amount: decimal(amountMinor), tax: decimal(taxMinor), extra };
  },
  select: (where) => sql<StoredRow<KeptCharge>>`
    select ${ownedColumns}, json_build_object(
             'name', t.product_name, 'label', t.product_label, 'description', t.details, 'service', s.code,
             'serviceItem', t.service_item, 'agreement', coalesce(a.external_ref, a.id::text), 'site', t.site_label,
             'costCentre', t.cost_centre, 'from', t.date_from, 'to', t.date_to,
             'quantity', trim_scale(t.quantity)::text, 'unit', t.unit, 'price', trim_scale(t.price)::text,
             'currency', t.currency, 'amountMinor', t.amount_minor::text, 'taxMinor', t.tax_minor::text,
             'extra', t.extra) as kept
      from invoice_line t left join service s on s.id = t.service_id
      left join agreement a on a.customer_id = t.customer_id and a.id = t.agreement_id
           ${customerJoin} ${where}`,
  async understand(tx, resellerId, asked) {
    const customers = await customersNamed(
      tx,
      resellerId,
      asked.map(({ values }) => values.customer),
    );
    const named = (name: (values: ChargeValues) => string | null) =>
      asked.flatMap(({ values }) => {
        const [customerId, one] = [customers.get(values.customer), name(values)];
        return customerId === undefined || one === null || one === '' ? [] : [{ customerId, name: one }];
      });
    const agreements = await agreementsNamed(
      tx,
      named(({ agreement }) => agreement),
    );
    const items = await serviceItemsNamed(
      tx,
      resellerId,
      named(({ serviceItem }) => serviceItem),
    );
    const services = await servicesNamed(
      tx,
      resellerId,
      asked.flatMap(({ values: { service } }) => (service === null ? [] : [service])),
    );
    return asked.map(({ values }) => {
      const customerId = customers.get(values.customer);
      if (customerId === undefined) return notKnown('customer');
      if (values.service !== null && !services.has(values.service)) return notKnown('service');
      const agreement =
        values.agreement === null ? null : agreements.get({ customerId, name: values.agreement });
      if (agreement === undefined) return notKnown('agreement');
      return understood(
        values,
        { customerId, agreement },
        items.get({ customerId, name: values.serviceItem }),
      );
    });
  },
  async write(tx, resellerId, changes) {
    const numbered = await itemsNumbered(tx, resellerId, changes);
    const rows = changes.map(({ customerId, id, kept, agreementId }) => ({
      customer: customerId,
      id,
      ...kept,
      agreement: agreementId ?? null,
      item: numbered.get(`${customerId} ${kept.serviceItem}`) ?? null,
    }));
    await tx.execute(sql`
      insert into invoice_line (customer_id, id, line_no, kind, product_label, product_name, details, service_id,
          agreement_id, service_item_id, service_item, site_label, cost_centre, date_from, date_to, quantity, unit, price,
          currency, amount_minor, tax_minor, extra)
      select l.customer, l.id, 1, 'line', l.label, l.name, l.description, s.id, l.agreement, l.item, l."serviceItem",
             l.site, l."costCentre", l."from", l."to", l.quantity, l.unit, l.price, l.currency, l."amountMinor",
             l."taxMinor", l.extra
        from json_to_recordset(${JSON.stringify(rows)}::json)
               as l(customer uuid, id uuid, name text, label text, description text, service text, "serviceItem" text,
                    agreement uuid, item uuid, site text, "costCentre" text, "from" date, "to" date, quantity numeric, unit text,
                    price numeric, currency text, "amountMinor" bigint, "taxMinor" bigint, extra text[])
        left join service s on s.reseller_id = ${resellerId} and s.code = l.service
      on conflict (customer_id, id) do update
         set product_label = excluded.product_label, product_name = excluded.product_name, details = excluded.details,
             service_id = excluded.service_id, agreement_id = excluded.agreement_id,
             service_item_id = excluded.service_item_id, service_item = excluded.service_item,
             site_label = excluded.site_label, cost_centre = excluded.cost_centre, date_from = excluded.date_from,
             date_to = excluded.date_to, quantity = excluded.quantity, unit = excluded.unit, price = excluded.price,
             currency = excluded.currency, amount_minor = excluded.amount_minor, tax_minor = excluded.tax_minor,
             extra = excluded.extra`);
  },
  async remove(tx, _resellerId, rows) {
    await tx.execute(sql`
      delete from invoice_line t using ${thingsOf(rows)}
       where t.customer_id = g.customer and t.id = g.id and t.invoice_id is null`);
  },
};

/** Ids of the items whose numbers charges name, by customer and number. */
async function itemsNumbered(
  tx: Tx,
  resellerId: number,
  changes: readonly Change<KeptCharge>[],
): Promise<ReadonlyMap<string, string>> {
  const numbers = [...new Set(changes.map(({ kept }) => kept.serviceItem))].filter((text) => text !== '');
  if (numbers.length === 0) return new Map();
  const rows = await tx.many<{ customer_id: string; number: string; id: string }>(sql`
    select customer_id, number, service_item_id as id from service_item_number
     where reseller_id = ${resellerId} and number = any(${numbers}::text[])`);
  return new Map(rows.map((row) => [`${row.customer_id} ${row.number}`, row.id]));
}

/** What a caller sends, in the form in which it is told again. */
function understood(
  values: ChargeValues,
  { customerId, agreement }: { readonly customerId: string; readonly agreement: NamedThing | null },
  item: NamedItem | undefined,
): Wanted<KeptCharge> | AppError {
  const { currency } = values;
  if (!isCurrencyCode(currency)) return invalid('currency', 'is no currency');
  const [amount, tax] = [moneyOf(values.amount, currency), moneyOf(values.tax, currency)];
  if (amount === undefined) return invalid('amount', 'has more decimals than its currency');
  if (tax === undefined) return invalid('tax', 'has more decimals than its currency');
  const [quantity, price] = [parseRate(values.quantity), parseRate(values.price)];
  const none = zero(currency);
  const line = { quantity, price, baseQuantity: parseRate('1'), allowances: none, charges: none, amount };
  if (checkLine(line) !== null) return invalid('amount', 'is not quantity times price');
  if (values.to !== null && values.to < values.from) return invalid('to', 'is before the first day');
  return {
    customerId,
    kept: {
      name: values.name,
      label: values.label,
      description: values.description,
      service: values.service ?? item?.serviceCode ?? null,
      serviceItem: values.serviceItem,
      agreement: agreement?.reference ?? null,
      site: values.site,
      costCentre: values.costCentre,
      from: values.from,
      to: values.to,
      quantity,
      unit: values.unit,
      price,
      currency,
      amountMinor: `${amount.minor}`,
      taxMinor: `${tax.minor}`,
      extra: values.extra,
    },
    agreementId: agreement?.id ?? null,
  };
}

function moneyOf(decimal: string, currency: string): Money | undefined {
  try {
    return parseMoney(decimal, currency);
  } catch {
    return undefined;
  }
}
