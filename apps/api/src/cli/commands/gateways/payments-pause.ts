import { listPauses, pausePayments, resumePayments } from '../../../features/payments/pause/pause.ts';
import {
  needed,
  neededNumber,
  noWords,
  optionalMoment,
  resellerOption,
  sinceOption,
} from '../../arguments/arguments.ts';
import { type Command, CommandError, UsageError } from '../../command.ts';
import { recordCommand } from '../../record-command.ts';
import { inTransaction } from '../../with-runtime.ts';

const pause: Command = {
  usage: '--since <when the backup was made> --note <why>',
  details: [
    'After a backup was restored by other means, before anything is started: payments that were made since are not known, and',
    'their invoices look unpaid. Paying, auto-pay and refunds are off for every gateway account; the worker scans each gateway',
    'from that time, books what it finds, and turns payments on again. A gateway that cannot list charges waits for',
    "'payments resume'; 'doctor' names it.",
  ],
  options: { ...sinceOption, note: { type: 'string', value: '<why>', help: 'kept with it' } },
  async run(invocation) {
    noWords(invocation);
    const since = optionalMoment(invocation, 'since');
    if (since === undefined) throw new UsageError('--since is missing: when was the backup made?');
    const note = needed(invocation, 'note').trim();
    const paused = await inTransaction(async (tx, { clock }) => {
      const now = clock.now();
      if (since > now) throw new UsageError('--since is a time that is over');
      const accounts = await pausePayments(tx, { since, note, now });
      await recordCommand(tx, now, {
        action: 'payments.paused',
        detail: { since: since.toISOString(), note, accounts: String(accounts) },
      });
      return { since: since.toISOString(), accounts };
    });
    invocation.print(paused, [
      `Payments are off for ${paused.accounts} gateway accounts until each was scanned from ${paused.since}.`,
    ]);
    return 0;
  },
};

const resume: Command = {
  usage: '--reseller <id> --note <how you know>',
  details: [
    'Look at the gateway first: every payment since the backup must be booked here, or its invoices are paid a second time.',
  ],
  options: {
    ...resellerOption,
    note: { type: 'string', value: '<text>', help: 'how you know; kept with it' },
  },
  async run(invocation) {
    noWords(invocation);
    const resellerId = neededNumber(invocation, 'reseller');
    const note = needed(invocation, 'note').trim();
    const gateways = await inTransaction(async (tx, { clock }) => {
      const resumed = await resumePayments(tx, resellerId);
      if (resumed.length === 0) throw new CommandError(`payments of reseller ${resellerId} are not paused`);
      await recordCommand(tx, clock.now(), {
        action: 'payments.resumed',
        resellerId,
        detail: { gateways: resumed.join(', '), note },
      });
      const left = await listPauses(tx);
      return { resumed, left: left.length };
    });
    invocation.print(gateways, [
      `Payments of reseller ${resellerId} are on again (${gateways.resumed.join(', ')}). Paused accounts left: ${gateways.left}.`,
    ]);
    return 0;
  },
};

export const actions = { pause, resume };
