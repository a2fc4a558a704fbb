import type { Stack } from './test.ts';

/** An invoice of the demo world, and who may see it. */
interface Found {
  readonly id: string;
  readonly user: string;
  readonly customerId: string;
}

async function findOne(stack: Stack, text: string): Promise<Found & { readonly lines: number }> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    const { rows: found } = await client.query<{
      id: string;
      user: string;
      customer_id: string;
      lines: number;
    }>(text);
    const [row] = found;
    if (row === undefined) throw new Error('the demo world has no such invoice');
    return { id: row.id, user: row.user, customerId: row.customer_id, lines: row.lines };
  } finally {
    await client.end();
  }
}

const withUser = `(select split_part(u.email, '@', 1) from membership m join app_user u on u.id = m.user_id
   where m.customer_id = i.customer_id and u.email like '%@demo.example' order by u.email limit 1) as user`;
const lineCount = `(select count(*)::int from invoice_line l where l.customer_id = i.customer_id and l.invoice_id = i.id)`;

/** One whose sums do not add up. */
export const findWithDiscrepancy = (stack: Stack): Promise<Found> =>
  findOne(
    stack,
    `select i.id, i.customer_id, 0 as lines, ${withUser} from invoice i join reseller_customer r using (customer_id)
      where r.reseller_id = 2204 and jsonb_array_length(i.discrepancies) > 0
        and exists (select 1 from membership m join app_user u on u.id = m.user_id
                     where m.customer_id = i.customer_id and u.email = 'stripe@demo.example') limit 1`,
  );

/** The one with the most lines. */
export const findLongest = (stack: Stack): Promise<Found & { readonly lines: number }> =>
  findOne(
    stack,
    `select i.id, i.customer_id, ${lineCount} as lines, ${withUser} from invoice i order by lines desc limit 1`,
  );
