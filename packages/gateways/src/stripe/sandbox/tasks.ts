/** What happens later by itself: settled debits, refunds, mandates, disputes. */
import type { Work } from './account.ts';
import { expireSession, followDebit } from './checkout.ts';
import { settleDebit } from './debiting.ts';
import { openDispute, winDispute } from './disputes.ts';
import { answerBacsMandate } from './mandates.ts';
import type { Dispute } from './money-objects.ts';
import { finishRefund, selfVoid } from './refunds.ts';

type Payload = Readonly<Record<string, string>>;

const tasks: Readonly<Record<string, (work: Work, payload: Payload) => void>> = {
  'settle-debit': (work, { payment = '', charge = '' }) => {
    settleDebit(work, payment, charge);
    const intent = work.account.payments.get(payment);
    if (intent !== undefined) followDebit(work, intent);
  },
  'bacs-mandate': (work, { mandate = '' }) => answerBacsMandate(work, mandate),
  'finish-refund': (work, { refund = '', status }) =>
    finishRefund(work, refund, status === 'failed' ? 'failed' : 'succeeded'),
  'self-void': (work, { charge = '' }) => selfVoid(work, charge),
  dispute: (work, { charge = '', reason = 'fraudulent', status, wonAfterMs }) =>
    openDispute(work, {
      charge,
      reason,
      status: (status ?? 'needs_response') as Dispute['status'],
      ...(wonAfterMs === undefined ? {} : { wonAfterMs: Number(wonAfterMs) }),
    }),
  'win-dispute': (work, { dispute = '' }) => winDispute(work, dispute),
  'expire-session': (work, { session = '' }) => expireSession(work, session),
};

/** Runs a scheduled task; an unknown name comes from an older journal and is dropped. */
export function runTask(work: Work, task: string, payload: Payload): void {
  tasks[task]?.(work, payload);
}
