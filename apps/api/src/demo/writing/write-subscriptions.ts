import type { Tx } from '../../db/database.ts';
import type { DemoMonth } from '../world/calendar.ts';
import { fixedId } from '../world/random.ts';
import { serviceId } from '../world/tariff.ts';
import type { UsageScope } from '../world/usage.ts';
import { writeRows } from './write-rows.ts';

/** Agreements, billing periods, service items, and whose each telephone number is. */
export async function writeSubscriptions(
  tx: Tx,
  scopes: readonly UsageScope[],
  months: readonly DemoMonth[],
): Promise<void> {
  const started = months[0]?.start ?? null;
  const agreements = scopes.flatMap(({ customer, subscriptions }) =>
    subscriptions.agreements.map(({ id, name }, at) => ({
      customer_id: customer.id,
      id,
      name,
      external_ref: `AGR-${customer.ordinal}-${at + 1}`,
      started_on: started,
    })),
  );
  await writeRows(
    tx,
    'agreement',
    { customer_id: 'uuid', id: 'uuid', name: 'text', external_ref: 'text', started_on: 'date' },
    agreements,
  );
  await writeRows(
    tx,
    'billing_period',
    { customer_id: 'uuid', id: 'uuid', agreement_id: 'uuid', period_start: 'date', period_end: 'date' },
    agreements.flatMap((agreement) =>
      months.map((month) => ({
        customer_id: agreement.customer_id,
        id: fixedId(`period ${agreement.id} ${month.name}`, Date.parse(month.start)),
        agreement_id: agreement.id,
        period_start: month.start,
        period_end: month.end,
      })),
    ),
  );
  await writeRows(
    tx,
    'service_item',
    {
      customer_id: 'uuid',
      id: 'uuid',
      service_id: 'uuid',
      agreement_id: 'uuid',
      name: 'text',
      description: 'text',
      cost_centre: 'text',
      site: 'text',
      created_at: 'timestamptz',
    },
    scopes.flatMap(({ customer, brand, subscriptions }) =>
      subscriptions.items.map((item) => ({
        customer_id: customer.id,
        id: item.id,
        service_id: serviceId(brand.resellerId, item.service),
        agreement_id: item.agreement.id,
        name: item.name,
        description: item.description,
        cost_centre: item.costCentre,
        site: item.site,
        created_at: `${started}T00:00:00Z`,
      })),
    ),
  );
  await writeRows(
    tx,
    'service_item_number',
    { reseller_id: 'int', number: 'text', customer_id: 'uuid', service_item_id: 'uuid' },
    scopes.flatMap(({ customer, brand, subscriptions }) =>
      subscriptions.items
        .filter((item) => item.service === 'voice')
        // Exchanges write a number without blanks, people with them.
        .flatMap((item) =>
          [item.name, item.name.replaceAll(' ', '')].map((number) => ({
            reseller_id: brand.resellerId,
            number,
            customer_id: customer.id,
            service_item_id: item.id,
          })),
        ),
    ),
  );
}
