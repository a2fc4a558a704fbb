import { expect, it } from 'vitest';
import { faultsWith, type Mutant, mutantsOf, nameOfMutant } from '../../../test/access-matrix/mutants.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

/** Without what the database itself keeps back: that no query forgets whose rows it wants is to be seen. */
const fixture = useFixture({ env: () => ({ DATABASE_ROW_SECURITY: 'off' }) });

/** Checks that another one stands before, and why nobody gets through without them: the check and its statement. */
const SECOND_LOCKS: readonly (readonly [check: RegExp, statement: RegExp, why: string])[] = [
  [/^(f|p|own)\./, /^select s\.id as session_id/, 'whether the caller owes a second factor; shows no row'],
  [/^(f|p|c|m|rc|own)\./, /^select f\.confirmed_at/, 'whether the caller has one; shows no row'],
  [
    /reseller_id/,
    /^select b\.id, b\.reseller_id/,
    'the brand of a customer who has none, whose own is proven',
  ],
  [/^(l|c)\./, /^select (l\.id, l\.line_no|b\.invoice_line_id|o\.id)/, 'of an invoice that was proven first'],
  [/customer_id/, /^select u\.started_at, si\.name/, 'of a line that was proven first'],
  [/customer_id/, /^select id, agreement_id, period_start/, 'of an agreement that was proven first'],
  [/customer_id/, /^select l\.id, l\.product_label/, 'of a period that was proven first'],
  [
    /^[st]\.reseller_id/,
    /^select (s\.id, s\.name|date_trunc)/,
    'names of services and types; rows are the customer’s',
  ],
  [/customer_id/, /^update service_item i set/, 'items that were locked for the customer first'],
  [/customer_id = \$3/, /^select c\.id, c\.at, c\.user_name/, 'items of changes that are the customer’s'],
  [/customer_id/, /^select service_item_id, description_before/, 'of a change that was proven first'],
  [
    /^[dr]\.customer_id/,
    /^select b\.name, p\.product_name/,
    'record types of a bundle that is the customer’s',
  ],
  [/^[irc]\.customer_id = \$[5-7]/, /^select m\.source/, 'joined by ids to rows of the customer'],
  [
    /customer_id/,
    /^select (day::text|month::text|exists \(select from service_item where)/,
    'how a file of usage is cut into parts; its rows are the customer’s, and tested where they are read',
  ],
  [
    /^(user|customer)_id/,
    /^select count\(\*\)::int as (count from user_preference|n from report_job)/,
    'a limit, which shows nothing; that others do not count is tested where it stands',
  ],
];

const isSecondLock = ({ text, check }: Mutant): boolean =>
  SECOND_LOCKS.some(([one, statement]) => one.test(check) && statement.test(text.trim()));

it('every owner check is missed when it is taken out of its statement', async () => {
  const mutants = await mutantsOf(fixture);
  expect(mutants.length).toBeGreaterThan(40);
  const survivors: Mutant[] = [];
  for (const mutant of mutants) {
    const faults = await faultsWith(fixture, mutant);
    if (faults.length === 0) survivors.push(mutant);
    const outcome = faults.length === 0 ? 'not missed' : `${faults.length} faults`;
    process.stdout.write(`${outcome.padStart(10)}: ${nameOfMutant(mutant)}\n`);
  }
  const [second, open] = [survivors.filter(isSecondLock), survivors.filter((one) => !isSecondLock(one))];
  process.stdout.write(
    `${mutants.length} owner checks taken out: ${mutants.length - survivors.length} missed, ${second.length} behind another, ${open.length} not missed\n`,
  );
  expect(open.map(nameOfMutant)).toEqual([]);
});
