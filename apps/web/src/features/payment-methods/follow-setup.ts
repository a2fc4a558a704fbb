import type {
  SavedSource,
  SetupAnswer,
  SetupQuestion,
} from '@counterfoil/contract/paying/payment-methods.ts';
import { ApiError } from '../../lib/api/api-error.ts';

/** What became of a setup. */
export type SetupEnd =
  | { readonly is: 'saved'; readonly source: SavedSource | undefined }
  /** The bank or the customer takes days. */
  | { readonly is: 'waiting'; readonly source: SavedSource | undefined }
  | { readonly is: 'action'; readonly url: string }
  | { readonly is: 'refused'; readonly error: ApiError }
  /** Nobody knows yet; the server goes on finding out. */
  | { readonly is: 'unknown' };

/** Pauses between the questions, about two minutes of them; then the person is told that it takes longer. */
const PAUSES_MS = [1_000, 1_000, 2_000, 2_000, 3_000, 3_000, ...Array<number>(21).fill(5_000)];

interface Following {
  readonly ask: (question: SetupQuestion) => Promise<SetupAnswer>;
  readonly wait: (ms: number) => Promise<void>;
  /** The page is gone. */
  readonly isOver: () => boolean;
}

/** What an answer says for certain; undefined: ask again in some seconds. */
export function endOf(answer: SetupAnswer): SetupEnd | undefined {
  if (answer.status === 'succeeded') return { is: 'saved', source: answer.source };
  if (answer.status === 'requires_action' && answer.redirectToUrl !== undefined)
    return { is: 'action', url: answer.redirectToUrl };
  return answer.expected === 'days' ? { is: 'waiting', source: answer.source } : undefined;
}

/** A refusal is an end; no answer, too many questions and a server that is not well are none. */
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![401, 408, 429].includes(error.status);

/** Asks what has become of a setup until it is known. @param reqUid of the setup */
export async function followSetup(reqUid: string, { ask, wait, isOver }: Following): Promise<SetupEnd> {
  for (const pause of [...PAUSES_MS, 0]) {
    try {
      const end = endOf(await ask({ reqUid }));
      if (end !== undefined) return end;
    } catch (error) {
      if (isRefusal(error)) return { is: 'refused', error };
    }
    if (isOver() || pause === 0) break;
    await wait(pause);
  }
  return { is: 'unknown' };
}
