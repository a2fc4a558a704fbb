import type { StateTable } from './paying/state-table.ts';

/** Report job status codes: 30 and 40 as specified (portal §9), 10 and 20 are ours. */
export const ReportStatus = { QUEUED: 10, RUNNING: 20, DONE: 30, FAILED: 40 } as const;
/** One of the codes of {@link ReportStatus}. */
export type ReportStatus = (typeof ReportStatus)[keyof typeof ReportStatus];

/** What can happen to a report job; `release` gives back a job whose worker has gone away. */
export const reportEvents = ['start', 'finish', 'fail', 'release', 'cancel'] as const;
/** One of {@link reportEvents}. */
export type ReportEvent = (typeof reportEvents)[number];

const { QUEUED, RUNNING, DONE, FAILED } = ReportStatus;

/** Every status under every event. */
export const transitions: StateTable<ReportStatus, ReportEvent> = {
  [QUEUED]: { start: RUNNING, finish: QUEUED, fail: FAILED, release: QUEUED, cancel: FAILED },
  [RUNNING]: { start: RUNNING, finish: DONE, fail: FAILED, release: QUEUED, cancel: FAILED },
  [DONE]: { start: DONE, finish: DONE, fail: DONE, release: DONE, cancel: DONE },
  [FAILED]: { start: FAILED, finish: FAILED, fail: FAILED, release: FAILED, cancel: FAILED },
};

/** The status after an event; the same status when the event does not belong to it. */
export const next = (state: ReportStatus, event: ReportEvent): ReportStatus => transitions[state][event];

/** Whether polling may stop. */
export const isFinished = (state: ReportStatus): boolean => state === DONE || state === FAILED;
