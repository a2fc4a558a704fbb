/** The one list: what every gateway must do behind the port, whatever its protocol, as far as it says that it can. */
import type { GatewayManifest } from '../port/define-gateway.ts';
import type { GatewayCase } from './case.ts';
import type { CasesData } from './data.ts';
import { challengeCases } from './list/challenges.ts';
import { chargeCases, keysCases } from './list/charges.ts';
import { checkoutCases } from './list/checkout.ts';
import { debitCases } from './list/debits.ts';
import { faultCases } from './list/faults.ts';
import { findOwnCases } from './list/find-own.ts';
import { refundCases } from './list/refunds.ts';
import { reversalCases } from './list/reversals.ts';
import { savedCases } from './list/saved.ts';
import { pollCase, webhookCases } from './list/webhooks.ts';

/** The cases of a gateway, in the order in which they run. What it cannot do has none. */
export function casesOf(
  { capabilities: can, saved }: Pick<GatewayManifest, 'capabilities' | 'saved'>,
  data: CasesData,
): readonly GatewayCase[] {
  const { good, challenged, sandbox } = data;
  const hasWebhook = can.events.includes('signedWebhook');
  const cases = [
    ...keysCases(data),
    ...chargeCases(data, can),
    ...findOwnCases(data, can),
    ...(challenged === undefined ? [] : challengeCases(challenged)),
    ...(sandbox.payOnPage === undefined ? [] : checkoutCases(hasWebhook)),
    ...(can.refund.when === 'never' ? [] : refundCases(good, can)),
    ...(saved === undefined ? [] : savedCases(data, can.vault.owner)),
    ...debitCases(data, can),
    ...(hasWebhook ? webhookCases(data) : []),
    // What is taken at once needs no event to be known.
    ...(can.events.includes('poll') && can.settles[good.kind] === 'later' ? [pollCase(good)] : []),
    ...(sandbox.reverse === undefined ? [] : reversalCases(good)),
    ...faultCases(data, can),
  ];
  const ids = cases.map(({ id }) => id);
  const twin = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twin !== undefined) throw new TypeError(`two cases are called ${twin}`);
  const unknown = Object.keys(data.proves).find((id) => !ids.includes(id));
  if (unknown !== undefined) throw new TypeError(`it proves something by ${unknown}, which is no case`);
  return cases;
}
