import type { ApiScope } from '@counterfoil/contract/operator/access/api-keys.ts';
import type { NeedGroup, NeedsOfGroup, Sum, Today } from '@counterfoil/contract/operator/running/today.ts';
import { addMoney, formatDecimal, type Money, parseMoney } from '@counterfoil/domain/money/money.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { ProgramScope } from '../../http/requests/scope.ts';
import type { GatewayAccounts } from '../payments/service.ts';
import type { Needs } from './needs.ts';
import { bankEntryNeeds } from './needs-of-bank.ts';
import { paymentNeeds, refundNeeds } from './needs-of-payments.ts';
import { gatewayNeeds, jobNeeds, keyNeeds } from './needs-of-setup.ts';
import { endpointNeeds, eventNeeds, mailNeeds, quarantineNeeds } from './needs-of-traffic.ts';
import { listSnoozes, stateOf, withoutSnoozed } from './snooze.ts';

export interface TodayDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly accounts: Pick<GatewayAccounts, 'standingFor' | 'nameOf'>;
}

interface GroupSource {
  readonly group: NeedGroup;
  /** Without it the caller is not told of these. */
  readonly scope: ApiScope;
  readonly isOfInstallation?: boolean;
  readonly read: () => Promise<Needs>;
}

/**
 * What needs a person now, of one reseller, as far as the caller may know of it. A group that cannot be read says so, and the
 * others stand.
 */
export async function readToday(deps: TodayDeps, caller: ProgramScope): Promise<Today> {
  const { db, clock, accounts } = deps;
  const { resellerId, scopes, isOfInstallation } = caller;
  const now = clock.now();
  const sources: readonly GroupSource[] = [
    { group: 'payments', scope: 'payments:read', read: () => paymentNeeds(db, resellerId) },
    { group: 'refunds', scope: 'payments:read', read: () => refundNeeds(db, resellerId, now) },
    { group: 'bankEntries', scope: 'payments:read', read: () => bankEntryNeeds(db, resellerId) },
    { group: 'gateways', scope: 'gateways:read', read: () => gatewayNeeds(db, accounts, resellerId, now) },
    { group: 'quarantine', scope: 'imports:read', read: () => quarantineNeeds(db, resellerId) },
    { group: 'mails', scope: 'mails:read', read: () => mailNeeds(db, resellerId, now) },
    { group: 'webhooks', scope: 'webhooks:read', read: () => eventNeeds(db, accounts, resellerId, now) },
    { group: 'endpoints', scope: 'webhookEndpoints:read', read: () => endpointNeeds(db, resellerId, now) },
    { group: 'keys', scope: 'today:read', read: () => keyNeeds(db, resellerId, isOfInstallation, now) },
    { group: 'jobs', scope: 'jobs:read', isOfInstallation: true, read: () => jobNeeds(db, now) },
  ];
  const told = sources.filter(
    (source) => scopes.includes(source.scope) && (isOfInstallation || source.isOfInstallation !== true),
  );
  const [snoozes, ...read] = await Promise.all([
    listSnoozes(db, caller.actor, resellerId, now),
    ...told.map(({ group, read }) => read().then(present(group), unknown(group))),
  ]);
  const all = read.map((group) => withoutSnoozed(group, snoozes));
  const groups = all.filter(({ isKnown, count }) => !isKnown || count > 0);
  return {
    at: now.toISOString(),
    count: groups.reduce((sum, { count }) => sum + count, 0),
    sums: addedUp(groups.flatMap(({ sums }) => sums)),
    snoozed:
      read.reduce((sum, { count }) => sum + count, 0) - groups.reduce((sum, { count }) => sum + count, 0),
    groups,
  };
}

const present =
  (group: NeedGroup) =>
  ({ count, sums, oldestAt, items }: Needs): NeedsOfGroup => ({
    group,
    isKnown: true,
    count,
    sums: [...sums],
    oldestAt: oldestAt?.toISOString() ?? null,
    items: items.map((need) => Object.assign({ state: stateOf(need) }, need)),
  });

const unknown = (group: NeedGroup) => (): NeedsOfGroup => ({
  group,
  isKnown: false,
  count: 0,
  sums: [],
  oldestAt: null,
  items: [],
});

/** Sums by currency, most first. */
function addedUp(sums: readonly Sum[]): Sum[] {
  const totals = new Map<string, Money>();
  for (const { currency, amount } of sums) {
    const one = parseMoney(amount, currency);
    const before = totals.get(currency);
    totals.set(currency, before === undefined ? one : addMoney(before, one));
  }
  return [...totals]
    .sort(([, a], [, b]) => (b.minor > a.minor ? 1 : -1))
    .map(([currency, total]) => ({ currency, amount: formatDecimal(total) }));
}
