/** The one list: what every gateway must do behind the port, whatever its protocol, as far as it says that it can. */
import type { GatewayManifest } from '../port/define-gateway.ts';
import type { GatewayCase } from './case.ts';
import { challengeCases } from './challenges.ts';
import { chargeCases, keysCases } from './charges.ts';
import { checkoutCases } from './checkout.ts';
import type { CasesData } from './data.ts';
import { debitCases } from './debits.ts';
import { faultCases } from './faults.ts';
import { findOwnCases } from './find-own.ts';
import { refundCases } from './refunds.ts';
import { reversalCases } from './reversals.ts';
import { savedCases } from './saved.ts';
import { pollCase, webhookCases } from './webhooks.ts';

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
