import type { ReportJob } from '@counterfoil/contract/reports.ts';
import { isFinished, ReportStatus } from '@counterfoil/domain/report-job.ts';
import type { IconName } from '../../ui/icon.tsx';

/** How a job stands, for whoever asked for it. */
export type JobState = 'waiting' | 'running' | 'ready' | 'failed' | 'expired';

export function jobState({ status, path }: Pick<ReportJob, 'status' | 'path'>): JobState {
  switch (status) {
    case ReportStatus.QUEUED:
      return 'waiting';
    case ReportStatus.RUNNING:
      return 'running';
    case ReportStatus.DONE:
      return path === null ? 'expired' : 'ready';
    case ReportStatus.FAILED:
      return 'failed';
  }
}

/** Colour and sign of a state's pill. */
export const jobLooks = {
  waiting: { tone: 'neutral', icon: 'clock' },
  running: { tone: 'info', icon: 'clock' },
  ready: { tone: 'success', icon: 'check' },
  failed: { tone: 'danger', icon: 'alert' },
  expired: { tone: 'neutral', icon: 'close' },
} as const satisfies Record<JobState, { tone: string; icon: IconName }>;

/** 'CSV' of 'Report Calls.csv'. */
export const formatOf = (fileName: string): string =>
  fileName.slice(fileName.lastIndexOf('.') + 1).toUpperCase();

/** Jobs that were being made at the last look and can be downloaded at this one. */
export function madeSince(
  before: readonly ReportJob[] | undefined,
  now: readonly ReportJob[],
): readonly ReportJob[] {
  const unfinished = new Set(before?.filter(({ status }) => !isFinished(status)).map(({ id }) => id));
  return now.filter((job) => unfinished.has(job.id) && jobState(job) === 'ready');
}
