import type pg from 'pg';

/** What looks at filtered lists have left. That of whole months stays: a worker makes it with their columns. */
export async function forgetSamples(client: pg.Client, customerId: string): Promise<void> {
  await client.query("delete from usage_sample where customer_id = $1 and filter not in ('', 'given')", [
    customerId,
  ]);
}
