import type { ReportRequest, ReportStatusAnswer } from '@counterfoil/contract/reports.ts';
import { isFinished, ReportStatus } from '@counterfoil/domain/report-job.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import type { ReceivedFile } from '../../lib/api/calls.ts';

/** How often the status is asked for (specification, portal §9). */
export const POLL_MS = 2_000;

/** How far one generation is. Times are milliseconds. */
export type RunState =
  | { readonly phase: 'form'; readonly refusal?: ApiError }
  | { readonly phase: 'starting'; readonly since: number }
  | { readonly phase: 'waiting'; readonly since: number; readonly id: string }
  | { readonly phase: 'fetching'; readonly since: number; readonly id: string }
  | { readonly phase: 'ended'; readonly end: RunEnd };

/** How it ended for who waits. `left`: it goes on in the background. */
export type RunEnd =
  | { readonly kind: 'saved'; readonly fileName: string }
  | { readonly kind: 'failed' }
  | { readonly kind: 'left' };

export type RunEvent =
  | { readonly type: 'generate'; readonly at: number }
  | { readonly type: 'started'; readonly id: string }
  | { readonly type: 'refused'; readonly error: ApiError }
  | { readonly type: 'status'; readonly status: ReportStatus }
  | { readonly type: 'end'; readonly end: RunEnd };

/** Whether somebody waits: fields are disabled and the modal stays. */
export const isGenerating = (state: RunState): state is Extract<RunState, { readonly since: number }> =>
  'since' in state;

/** The state after an event; what does not belong to a state changes nothing. */
export function nextRun(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'generate':
      return state.phase === 'form' ? { phase: 'starting', since: event.at } : state;
    case 'started':
      return state.phase === 'starting' ? { ...state, phase: 'waiting', id: event.id } : state;
    case 'refused':
      return state.phase === 'starting' ? { phase: 'form', refusal: event.error } : state;
    case 'status':
      if (state.phase !== 'waiting' || !isFinished(event.status)) return state;
      return event.status === ReportStatus.DONE
        ? { ...state, phase: 'fetching' }
        : { phase: 'ended', end: { kind: 'failed' } };
    case 'end':
      return isGenerating(state) ? { phase: 'ended', end: event.end } : state;
  }
}

/** What a run does to the world. */
export interface RunCalls {
  readonly start: (request: ReportRequest) => Promise<{ readonly reportId: string }>;
  readonly status: (id: string, signal: AbortSignal) => Promise<ReportStatusAnswer>;
  readonly file: (path: string, signal: AbortSignal) => Promise<ReceivedFile>;
  readonly save: (file: ReceivedFile, name: string) => void;
  /** The page's generic banner, and the log. */
  readonly fail: (error: unknown) => void;
  readonly now: () => number;
}

export interface ReportRun {
  readonly state: () => RunState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Starts the job, waits for it and saves the file. A second call while one runs does nothing. */
  readonly generate: (request: ReportRequest) => Promise<void>;
  /** Continue in background: nobody waits any longer, the job goes on. Only once it has an id. */
  readonly leave: () => void;
}

/** One generation of a report, from the form to the saved file (specification, portal §4). */
export function createReportRun(calls: RunCalls): ReportRun {
  let state: RunState = { phase: 'form' };
  const listeners = new Set<() => void>();
  const waiting = new AbortController();
  const phase = (): RunState['phase'] => state.phase;
  const dispatch = (event: RunEvent): void => {
    state = nextRun(state, event);
    for (const listener of listeners) listener();
  };

  const fetchFile = async ({ path, fileName }: ReportStatusAnswer): Promise<void> => {
    if (path === null) throw new Error('a finished report has no file');
    const file = await calls.file(path, waiting.signal);
    if (waiting.signal.aborted) return;
    calls.save(file, fileName);
    dispatch({ type: 'end', end: { kind: 'saved', fileName: file.fileName ?? fileName } });
  };
  const watch = async (id: string): Promise<void> => {
    while (phase() === 'waiting') {
      await pause(waiting.signal);
      if (waiting.signal.aborted) return;
      const answer = await calls.status(id, waiting.signal).catch((error: unknown) => {
        // The server is starting again or the line is down: the job is not concerned.
        if (error instanceof ApiError && error.isPassing) return undefined;
        throw error;
      });
      if (answer === undefined) continue;
      dispatch({ type: 'status', status: answer.status });
      if (answer.status === ReportStatus.DONE) return fetchFile(answer);
      if (answer.status === ReportStatus.FAILED) calls.fail(new Error(`report ${id} failed`));
    }
  };

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    generate: async (request) => {
      if (state.phase !== 'form') return;
      dispatch({ type: 'generate', at: calls.now() });
      try {
        const { reportId } = await calls.start(request);
        dispatch({ type: 'started', id: reportId });
        await watch(reportId);
      } catch (error) {
        if (waiting.signal.aborted) return;
        if (phase() === 'starting' && error instanceof ApiError) return dispatch({ type: 'refused', error });
        dispatch({ type: 'end', end: { kind: 'failed' } });
        calls.fail(error);
      }
    },
    leave: () => {
      if (state.phase !== 'waiting' && state.phase !== 'fetching') return;
      dispatch({ type: 'end', end: { kind: 'left' } });
      waiting.abort();
    },
  };
}

/** Until the next look, or at once when nobody waits any longer. */
const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, POLL_MS);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
