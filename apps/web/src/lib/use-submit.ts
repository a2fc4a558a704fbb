import { type FormEvent, useRef, useState } from 'react';
import type { FormProblem } from '../ui/fields/error-summary.tsx';
import { ApiError, type ApiErrorCode } from './api/api-error.ts';
import { reportFailure } from './error-banner.ts';

interface Submit {
  readonly busy: boolean;
  /** For the error summary. */
  readonly problems: readonly FormProblem[];
  /** Rises with every refusal, so that the summary takes the focus again. */
  readonly attempt: number;
  /** The refusal that belongs to a field. */
  readonly errorOf: (field: string) => string | undefined;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * Sends a form once at a time. What the server refuses is shown in its words, at the field it is about; what fails
 * otherwise is the banner's.
 * @param fields id of the field that a refusal is about, by its code
 */
export function useSubmit(
  send: () => Promise<void>,
  fields: Readonly<Partial<Record<ApiErrorCode, string>>> = {},
): Submit {
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const refuse = (error: unknown) => {
    // The session is over: the page is being left.
    if (error instanceof ApiError && error.status === 401) return;
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500)
      return reportFailure(error);
    setProblems([{ text: error.message, field: fields[error.code] }]);
    setAttempt((count) => count + 1);
  };
  return {
    busy,
    problems,
    attempt,
    errorOf: (field) => problems.find((problem) => problem.field === field)?.text,
    onSubmit(event) {
      event.preventDefault();
      // Enter in a field submits whatever the button says.
      if (running.current) return;
      running.current = true;
      setBusy(true);
      setProblems([]);
      void send()
        .catch(refuse)
        .finally(() => {
          running.current = false;
          setBusy(false);
        });
    },
  };
}
