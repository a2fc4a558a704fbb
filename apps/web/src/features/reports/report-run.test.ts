import type { ReportStatusAnswer } from '@counterfoil/contract/reports.ts';
import { ReportStatus } from '@counterfoil/domain/report-job.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { createReportRun, isGenerating, nextRun, POLL_MS, type RunCalls } from './report-run.ts';

const { QUEUED, RUNNING, DONE, FAILED } = ReportStatus;
const request = { id: 'invoice-details', parameters: [], isStandard: true };
const file = { blob: new Blob(['a']), fileName: undefined };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server whose status calls answer one after the other; an error is thrown. */
function runOver(answers: readonly (ReportStatus | ApiError)[], over: Partial<RunCalls> = {}) {
  const left = [...answers];
  const mocks = {
    start: vi.fn<RunCalls['start']>(async () => ({ reportId: 'job-1' })),
    status: vi.fn<RunCalls['status']>(async () => {
      const next = left.shift() ?? RUNNING;
      if (next instanceof ApiError) throw next;
      const path = next === DONE ? 'token' : null;
      return {
        status: next,
        path,
        name: 'Calls',
        fileName: 'Report Calls.csv',
        rows: null,
      } as ReportStatusAnswer;
    }),
    file: vi.fn<RunCalls['file']>(async () => file),
    save: vi.fn<RunCalls['save']>(),
    fail: vi.fn<RunCalls['fail']>(),
    now: () => 1_000,
  };
  const calls: typeof mocks = Object.assign(mocks, over);
  return { run: createReportRun(calls), calls };
}
const passed = (polls: number) => vi.advanceTimersByTimeAsync(polls * POLL_MS);

describe('generating a report', () => {
  it('starts a job and asks for its status every 2 seconds [portal.reports.constant.poll]', async () => {
    expect(POLL_MS).toBe(2_000);
    const { run, calls } = runOver([QUEUED, RUNNING, RUNNING]);
    void run.generate(request);
    await vi.advanceTimersByTimeAsync(0);
    expect(calls.start).toHaveBeenCalledWith(request);
    expect(run.state()).toEqual({ phase: 'waiting', since: 1_000, id: 'job-1' });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(calls.status).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(calls.status).toHaveBeenCalledTimes(1);
    await passed(2);
    expect(calls.status).toHaveBeenCalledTimes(3);
    expect(calls.status.mock.calls.every(([id]) => id === 'job-1')).toBe(true);
  });

  it('at 30 fetches the file by its path, saves it under its name and stops asking [portal.reports.constant.status-done, portal.reports.done-saved]', async () => {
    const { run, calls } = runOver([RUNNING, DONE]);
    void run.generate(request);
    await passed(5);
    expect(calls.file).toHaveBeenCalledTimes(1);
    expect(calls.file.mock.calls[0]?.[0]).toBe('token');
    expect(calls.save).toHaveBeenCalledExactlyOnceWith(file, 'Report Calls.csv');
    expect(calls.status).toHaveBeenCalledTimes(2);
    expect(run.state()).toEqual({ phase: 'ended', end: { kind: 'saved', fileName: 'Report Calls.csv' } });
    expect(calls.fail).not.toHaveBeenCalled();
  });

  it('at 40 raises the generic banner and saves nothing [portal.reports.constant.status-failed, portal.reports.error.failed-banner]', async () => {
    const { run, calls } = runOver([FAILED]);
    void run.generate(request);
    await passed(3);
    expect(calls.fail).toHaveBeenCalledTimes(1);
    expect(calls.save).not.toHaveBeenCalled();
    expect(calls.status).toHaveBeenCalledTimes(1);
    expect(run.state()).toEqual({ phase: 'ended', end: { kind: 'failed' } });
  });

  it('stays in the Generate state until done, over a server that is away for a moment [portal.reports.generate-persists]', async () => {
    const away = new ApiError(503, 'server.unavailable', 'x');
    const { run, calls } = runOver([RUNNING, away, new ApiError(0, 'client.unreachable', 'x'), DONE]);
    void run.generate(request);
    for (let polls = 0; polls < 3; polls += 1) {
      await passed(1);
      expect(isGenerating(run.state())).toBe(true);
    }
    await passed(1);
    expect(isGenerating(run.state())).toBe(false);
    expect(calls.save).toHaveBeenCalledTimes(1);
    expect(calls.fail).not.toHaveBeenCalled();
  });

  it.each(['status', 'file'] as const)('ends with the banner when the %s cannot be had', async (call) => {
    const refuse = () => Promise.reject(new ApiError(404, 'report.notFound' as never, 'x'));
    const { run, calls } = runOver([DONE], { [call]: refuse });
    void run.generate(request);
    await passed(3);
    expect(run.state()).toEqual({ phase: 'ended', end: { kind: 'failed' } });
    expect(calls.fail).toHaveBeenCalledTimes(1);
  });

  it('goes back to the form with the words of a refusal; a second try may follow', async () => {
    const refusal = new ApiError(400, 'request.invalid', 'These dates are reversed');
    const start = vi
      .fn<RunCalls['start']>()
      .mockRejectedValueOnce(refusal)
      .mockResolvedValue({ reportId: '2' });
    const { run, calls } = runOver([], { start });
    await run.generate(request);
    expect(run.state()).toEqual({ phase: 'form', refusal });
    expect(calls.fail).not.toHaveBeenCalled();
    void run.generate(request);
    await vi.advanceTimersByTimeAsync(0);
    expect(run.state()).toMatchObject({ phase: 'waiting', id: '2' });
  });

  it('starts one job, however often it is pressed', async () => {
    const { run, calls } = runOver([]);
    void run.generate(request);
    void run.generate(request);
    await passed(1);
    void run.generate(request);
    expect(calls.start).toHaveBeenCalledTimes(1);
  });
});

describe('Continue in background', () => {
  it('is possible once the job has an id; then nobody asks or saves any longer', async () => {
    const started = Promise.withResolvers<{ reportId: string }>();
    const { run, calls } = runOver([RUNNING, DONE], { start: () => started.promise });
    void run.generate(request);
    run.leave();
    expect(run.state().phase).toBe('starting');
    started.resolve({ reportId: 'job-1' });
    await passed(1);
    run.leave();
    expect(run.state()).toEqual({ phase: 'ended', end: { kind: 'left' } });
    await passed(5);
    expect(calls.status).toHaveBeenCalledTimes(1);
    expect(calls.save).not.toHaveBeenCalled();
    expect(calls.fail).not.toHaveBeenCalled();
  });

  it('a file that is just arriving is not saved either', async () => {
    const arriving = Promise.withResolvers<typeof file>();
    const { run, calls } = runOver([DONE], { file: () => arriving.promise });
    void run.generate(request);
    await passed(1);
    expect(run.state().phase).toBe('fetching');
    run.leave();
    arriving.resolve(file);
    await passed(1);
    expect(calls.save).not.toHaveBeenCalled();
    expect(run.state()).toEqual({ phase: 'ended', end: { kind: 'left' } });
  });
});

it('what does not belong to a state changes nothing', () => {
  const form = { phase: 'form' } as const;
  expect(nextRun(form, { type: 'started', id: '1' })).toBe(form);
  expect(nextRun(form, { type: 'status', status: DONE })).toBe(form);
  expect(nextRun(form, { type: 'end', end: { kind: 'left' } })).toBe(form);
  const waiting = { phase: 'waiting', since: 0, id: '1' } as const;
  expect(nextRun(waiting, { type: 'generate', at: 5 })).toBe(waiting);
  expect(nextRun(waiting, { type: 'started', id: '2' })).toBe(waiting);
  for (const status of [QUEUED, RUNNING]) expect(nextRun(waiting, { type: 'status', status })).toBe(waiting);
  const ended = { phase: 'ended', end: { kind: 'left' } } as const;
  expect(nextRun(ended, { type: 'status', status: FAILED })).toBe(ended);
});
