import type { ReportJob } from '@counterfoil/contract/reports.ts';
import { ReportStatus } from '@counterfoil/domain/report-job.ts';
import { expect, it } from 'vitest';
import { elapsedText, spokenText } from './elapsed.ts';
import { formatOf, jobState, madeSince } from './job-words.ts';

const { QUEUED, RUNNING, DONE, FAILED } = ReportStatus;
const job = (id: string, status: ReportStatus, path: string | null = null): ReportJob => ({
  id,
  status,
  path,
  name: 'Calls',
  fileName: 'Report Calls.csv',
  rows: null,
  sizeBytes: null,
  createdAt: '2026-11-22T10:00:00.000Z',
  finishedAt: null,
  expiresAt: null,
});

it('a job waits, is made, is ready, has failed, or its file has expired', () => {
  const states = [job('1', QUEUED), job('1', RUNNING), job('1', DONE, 'p'), job('1', FAILED), job('1', DONE)];
  expect(states.map(jobState)).toEqual(['waiting', 'running', 'ready', 'failed', 'expired']);
});

it('news are those that were being made and can be downloaded now', () => {
  const before = [job('1', RUNNING), job('2', QUEUED), job('3', RUNNING), job('4', DONE, 'p')];
  const now = [
    job('5', DONE, 'p'),
    job('1', DONE, 'p'),
    job('2', RUNNING),
    job('3', FAILED),
    job('4', DONE, 'p'),
  ];
  expect(madeSince(before, now).map(({ id }) => id)).toEqual(['1']);
  expect(madeSince(undefined, now)).toEqual([]);
});

it('the format is told by the name of the file', () => {
  expect(formatOf('Report Calls.v2.xlsx')).toBe('XLSX');
});

it('the time is shown by the second and spoken every fifteen', () => {
  expect([0, 1, 59, 60, 121].map(elapsedText)).toEqual([
    'Generating, 0 seconds so far',
    'Generating, 1 second so far',
    'Generating, 59 seconds so far',
    'Generating, 1 minute 0 seconds so far',
    'Generating, 2 minutes 1 second so far',
  ]);
  expect([0, 14, 15, 29, 61].map(spokenText)).toEqual([
    'Generating…',
    'Generating…',
    'Generating, 15 seconds so far',
    'Generating, 15 seconds so far',
    'Generating, 1 minute 0 seconds so far',
  ]);
});
