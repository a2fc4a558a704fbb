import { receiveMethodEvent } from '../../../features/payment-methods/events-service.ts';
import { doAfterEnd } from '../../../features/payments/after-end/rounds.ts';
import { reconcile } from '../../../features/payments/attempts/reconcile.ts';
import { scanPaused } from '../../../features/payments/pause/scan.ts';
import { followUpEvents } from '../../../features/payments/webhooks/follow-up.ts';
import { noWords } from '../../arguments/arguments.ts';
import type { Command } from '../../command.ts';
import { engineOf } from '../../engine.ts';
import { withGateways } from '../../with-gateways.ts';

// Each round takes what is due now; one that comes due again at once must not keep the command for ever.
const MOST_ROUNDS = 500;

export const reconcileCommand: Command = {
  usage: '',
  options: {},
  async run(invocation) {
    noWords(invocation);
    const totals = await withGateways(async (runtime) => {
      const engine = engineOf(runtime);
      // First: it makes what is open due, and turns payments on again.
      const scanned = await scanPaused(engine);
      const { tried: events, ended: followed } = await followUpEvents({ ...engine, receiveMethodEvent });
      const sum = { asked: 0, ended: 0, events, eventsWaiting: events - followed, scanned, rechecked: 0 };
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const { asked, ended } = await reconcile(engine);
        sum.asked += asked;
        sum.ended += ended;
        if (asked === 0) break;
      }
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const tried = await doAfterEnd(engine);
        sum.rechecked += tried;
        if (tried === 0) break;
      }
      return sum;
    });
    invocation.print({ ...totals, open: totals.asked - totals.ended }, [
      `Looked into: ${totals.asked}. Ended: ${totals.ended}. Still open: ${totals.asked - totals.ended}.`,
      `Events: ${totals.events}. Not followed yet: ${totals.eventsWaiting}.`,
      `Ended payments looked into: ${totals.rechecked}. Accounts scanned after a restored backup: ${totals.scanned}.`,
    ]);
    return 0;
  },
};
