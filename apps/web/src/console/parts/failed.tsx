import type { UseQueryResult } from '@tanstack/react-query';
import { ApiError, requestIdOf } from '../../lib/api/api-error.ts';
import { SectionError } from '../../ui/layout/section-state.tsx';
import { t } from './messages.ts';

/** Whether a call is about something that is not there: an answer, and no fault. */
export const isMissing = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status !== 403 && isRefusal(error);

/** Whether the server has understood a call and refused it: the part that made it says so, and no banner. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

interface FailedProps {
  readonly query: Pick<UseQueryResult, 'isFetching' | 'error'> & { readonly refetch: () => Promise<unknown> };
  /** Of the heading: 3 within a box, 2 directly on a page. */
  readonly level?: 2 | 3;
}

/** Stands where something could not be loaded: why, in plain words, and a way to try again. */
export const Failed = ({ query, level = 3 }: FailedProps) => (
  <SectionError
    level={level}
    requestId={requestIdOf(query.error)}
    onRetry={() => void query.refetch()}
    retrying={query.isFetching}
  >
    {whyOf(query.error)}
  </SectionError>
);

/** Why something could not be loaded, as a sentence for people. */
export function whyOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t('failed.fault');
  if (error.code === 'operator.role') return t('failed.role');
  if (isRefusal(error) || error.isPassing) return sentence(error.message);
  return t('failed.server');
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
