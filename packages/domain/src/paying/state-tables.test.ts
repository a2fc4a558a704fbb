import { describe, expect, it } from 'vitest';
import * as report from '../report-job.ts';
import * as login from '../text/login-form.ts';
import * as bulk from './bulk-pay.ts';
import * as pay from './pay-state.ts';

/** Rows written out apart from the tables under test; columns in the order of the module's events. */
function cellsOf<State, Event>(
  rows: readonly (readonly [State, readonly State[]])[],
  events: readonly Event[],
) {
  return rows.flatMap(([state, row]) => {
    if (row.length !== events.length) throw new Error(`The row of ${String(state)} has ${row.length} cells`);
    return events.map((event, i) => [state, event, row[i]] as const);
  });
}

describe('login form', () => {
  const cells = cellsOf<login.LoginForm, login.LoginEvent>(
    [
      // forgotPassword, resetRequested, continue, logIn, knowCompany, ssoError, signedIn
      [1, [2, 1, 1, 1, 4, 4, 1]],
      [2, [2, 3, 2, 1, 2, 4, 1]],
      [3, [3, 3, 1, 1, 3, 4, 1]],
      [4, [4, 4, 4, 1, 4, 4, 1]],
    ],
    login.loginEvents,
  );
  it.each(cells)('%s + %s → %s', (state, event, to) => {
    expect(login.next(state, event)).toBe(to);
  });
  it('has no cell beside these', () => {
    expect(Object.values(login.transitions).flatMap((row) => Object.keys(row))).toHaveLength(cells.length);
    expect(Object.values(login.LoginForm)).toEqual([1, 2, 3, 4]);
  });
});

describe('report job', () => {
  const cells = cellsOf<report.ReportStatus, report.ReportEvent>(
    [
      // start, finish, fail, release, cancel
      [10, [20, 10, 40, 10, 40]],
      [20, [20, 30, 40, 10, 40]],
      [30, [30, 30, 30, 30, 30]],
      [40, [40, 40, 40, 40, 40]],
    ],
    report.reportEvents,
  );
  it.each(cells)('%s + %s → %s', (state, event, to) => {
    expect(report.next(state, event)).toBe(to);
  });
  it('has no cell beside these, and knows its ends', () => {
    expect(Object.values(report.transitions).flatMap((row) => Object.keys(row))).toHaveLength(cells.length);
    expect(Object.values(report.ReportStatus).filter(report.isFinished)).toEqual([30, 40]);
  });
});

describe('a payment', () => {
  const moves: Record<pay.PayState, string> = {
    loading: `loadFailed→loadFailed gatewayMisconfigured→misconfigured invoiceCredited→credited invoicePaid→paid
      invoiceNotPayable→notPayable invalidIntent→invalid invoicePayable→form actionNeeded→requiresAction beingConfirmed→confirming submittedToBank→submitted
      succeeded→success failed→failed`,
    loadFailed: 'retry→loading paidElsewhere→loading',
    misconfigured: 'retry→loading paidElsewhere→loading',
    credited: '',
    paid: '',
    invalid: '',
    notPayable: 'retry→loading paidElsewhere→loading',
    form: 'gatewayMisconfigured→misconfigured submit→submitting paidElsewhere→loading',
    submitting: `gatewayMisconfigured→misconfigured invoiceCredited→credited invoicePaid→paid
      invoiceNotPayable→notPayable invalidIntent→invalid priceChanged→form actionNeeded→requiresAction beingConfirmed→confirming
      submittedToBank→submitted succeeded→success failed→failed`,
    requiresAction: `actionNeeded→requiresAction beingConfirmed→confirming
      submittedToBank→submitted succeeded→success failed→failed retry→form`,
    confirming: `actionNeeded→requiresAction beingConfirmed→confirming submittedToBank→submitted
      succeeded→success failed→failed`,
    submitted: 'succeeded→success failed→failed',
    success: 'retry→loading',
    failed: 'retry→loading paidElsewhere→loading',
  };
  const cells = pay.payStates.flatMap((state) => {
    const row = new Map(moves[state].split(/\s+/).map((move) => move.split('→') as [string, string]));
    return pay.payEvents.map((event) => [state, event, row.get(event) ?? state] as const);
  });
  it.each(cells)('%s + %s → %s', (state, event, to) => {
    expect(pay.next(state, event)).toBe(to);
  });
  it('writes every move it names', () => {
    const named = Object.values(moves).join(' ').split(/\s+/).filter(Boolean);
    expect(named).toHaveLength(Object.values(pay.transitions).flatMap((row) => Object.keys(row)).length);
    expect(cells).toHaveLength(14 * 16);
  });
  it('starts with loading and offers the form only where surely nothing is under way', () => {
    expect(pay.initialState).toBe('loading');
    for (const state of ['submitting', 'confirming', 'submitted', 'success'] as const) {
      for (const event of pay.payEvents) {
        if (event !== 'priceChanged') expect(pay.next(state, event)).not.toBe('form');
      }
    }
  });

  const info = { apiStatus: true, isCredited: false, invoiceStatus: 10, invoiceAmount: 12.5 };
  it.each([
    [{}, 'invoicePayable'],
    [{ apiStatus: false }, 'gatewayMisconfigured'],
    [{ invoiceStatus: 11 }, 'invoicePaid'],
    [{ invoiceAmount: 0 }, 'invoicePaid'],
    [{ invoiceStatus: 11, apiStatus: false }, 'invoicePaid'],
    [{ isCredited: true, invoiceStatus: 11 }, 'invoiceCredited'],
    [{ invoiceStatus: 12, apiStatus: false }, 'invoiceCredited'],
    [{ invoiceStatus: 13 }, 'invoiceNotPayable'],
    [{ invoiceStatus: 14, apiStatus: false }, 'invoiceNotPayable'],
    [{ invoiceStatus: 14, invoiceAmount: 0 }, 'invoicePaid'],
  ])('info with %o is %s', (change, event) => {
    expect(pay.eventOfInfo({ ...info, ...change })).toBe(event);
  });

  it.each([
    [{ status: 'succeeded' }, 'succeeded'],
    [{ status: 'requires_action' }, 'actionNeeded'],
    [{ status: 'processing', expected: 'seconds' }, 'beingConfirmed'],
    [{ status: 'processing', expected: 'days' }, 'submittedToBank'],
    [{ status: 'processing' }, 'beingConfirmed'],
    [{ status: 'failed' }, 'failed'],
  ] as const)('answer %o is %s', (status, event) => {
    expect(pay.eventOfStatus(status)).toBe(event);
  });

  it.each([
    [0, 'loading', 'invalid'],
    [1, 'loading', 'form'],
    [2, 'loading', 'form'],
    [3, 'loading', 'success'],
    [4, 'loading', 'failed'],
    [5, 'loading', 'confirming'],
    [0, 'submitting', 'invalid'],
    [3, 'submitting', 'success'],
    [4, 'submitting', 'failed'],
    [5, 'submitting', 'confirming'],
    [2, 'confirming', 'confirming'],
    [2, 'success', 'success'],
    [3, 'failed', 'failed'],
  ] as const)('an intent of status %i takes a bulk payment from %s to %s', (status, from, to) => {
    expect(pay.next(from, bulk.eventOfBulkStatus[status])).toBe(to);
  });
  it('knows the six codes of a bulk payment', () => {
    expect(Object.values(bulk.BulkStatus)).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
