import { expect, it } from 'vitest';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();

/** More than are looked at before all customers of a user are read; of these the user has none. */
const OTHERS = 2_100;
/** More than are counted as few. */
const MANY = 250;

/** Customers of the reseller, labelled `<letter> <n>`. @returns those of the user, by label */
async function addCustomers(
  resellerId: number,
  userId: string | null,
  letter: string,
  count: number,
): Promise<string[]> {
  const { rows } = await fixture.database.pool().query<{ customer_id: string }>(
    `with made as (
       insert into customer (customer_id, reseller_id, label)
       select gen_random_uuid(), $1, $3 || ' ' || lpad(n::text, 5, '0') from generate_series(1, $4::int) n returning *
     ), listed as (
       insert into reseller_customer (reseller_id, customer_id, label) select reseller_id, customer_id, label from made
     ), theirs as (
       insert into membership (user_id, customer_id) select $2::uuid, customer_id from made where $2 is not null
     )
     select customer_id from made order by label`,
    [resellerId, userId, letter, count],
  );
  return rows.map((row) => row.customer_id);
}

async function person() {
  const { reseller, user, customer, get } = await signedIn(fixture);
  // Stands last, so that it is never in the way.
  for (const table of ['customer', 'reseller_customer'])
    await fixture.database
      .pool()
      .query(`update ${table} set label = 'zz' where customer_id = $1`, [customer.id]);
  /** The customer that a request without a header is about. */
  const first = async () => {
    const answer = await get('/v1/ec/me');
    const all: { customerId: string; selected: boolean }[] = answer.json().data.customers;
    expect(all.filter((one) => one.selected).map((one) => one.customerId)).toEqual([all[0]?.customerId]);
    const name = `marked ${Math.random()}`;
    await fixture.make.invoice({
      customerId: all[0]?.customerId ?? '',
      resellerId: reseller.id,
      number: name,
    });
    const { json } = await get('/v1/ec/invoices');
    expect(json().data.map((one: { number: string }) => one.number)).toContain(name);
    return all[0]?.customerId;
  };
  const add = (letter: string, count: number) => addCustomers(reseller.id, user.id, letter, count);
  const addOthers = (letter: string) => addCustomers(reseller.id, null, letter, OTHERS);
  const disable = (id: string | undefined) =>
    fixture.database
      .pool()
      .query('update reseller_customer set disabled_at = now() where customer_id = $1', [id]);
  return { add, addOthers, first, disable };
}

it.each([
  ['few customers', 3],
  ['many customers', MANY],
])(
  "the first of %s is the user's own, not disabled, wherever it stands among the reseller's",
  async (_, count) => {
    const { add, addOthers, first, disable } = await person();
    const [one, two] = await add('b', count);
    expect(await first()).toBe(one);
    await disable(one);
    expect(await first()).toBe(two);
    await addOthers('a');
    expect(await first()).toBe(two);
  },
);
