import type { SavedSource, SetupAnswer } from '@counterfoil/contract/paying/payment-methods.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { methodTitle } from '../../paying/methods/method-words.ts';
import { methodCalls } from './calls.ts';
import { leaveTo } from './dialogs/leave-to.ts';
import { accountFailure } from './failure-words.ts';
import { endOf, followSetup, type SetupEnd } from './follow-setup.ts';
import { t } from './messages.ts';

/** What stands above the lists after something was done. */
export interface Notice {
  readonly tone: 'success' | 'danger' | 'info' | 'warning';
  readonly text: string;
}

/** A setup whose end is not known yet, or that waits for the person. */
export type OpenSetup =
  | { readonly is: 'confirming' }
  | { readonly is: 'unknown'; readonly reqUid: string }
  | { readonly is: 'action'; readonly url: string };

interface SetupParts {
  readonly tell: (notice: Notice) => void;
  readonly refresh: () => Promise<void>;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The setup that a redirect came back from: `/payment-types?req_uid=…`. */
const returned = (): string | null => new URLSearchParams(globalThis.location.search).get('req_uid');

/** What was saved: 'Visa ending 4242 was added'. */
const savedText = (source: SavedSource | undefined): string =>
  source === undefined ? t('saved.plain') : t('saved.card', { method: methodTitle(source) });

/** Brings setups to their end: at once, after the bank's page, or in some seconds. */
export function useSetup({ tell, refresh }: SetupParts) {
  const [open, setOpen] = useState<OpenSetup>();
  const isOver = useRef(false);
  const began = useRef(false);

  const settle = useCallback(
    async (end: SetupEnd, reqUid: string) => {
      setOpen(undefined);
      if (end.is === 'unknown') return setOpen({ is: 'unknown', reqUid });
      if (end.is === 'action') return setOpen({ is: 'action', url: end.url });
      await refresh();
      if (end.is === 'saved') return tell({ tone: 'success', text: savedText(end.source) });
      if (end.is === 'refused') return tell({ tone: 'danger', text: accountFailure(end.error) });
      tell({ tone: 'info', text: t(end.source?.verification ? 'saved.verify' : 'saved.days') });
    },
    [tell, refresh],
  );
  const follow = useCallback(
    async (reqUid: string) => {
      setOpen({ is: 'confirming' });
      const end = await followSetup(reqUid, { ask: methodCalls.result, wait, isOver: () => isOver.current });
      if (!isOver.current) await settle(end, reqUid);
    },
    [settle],
  );
  useEffect(() => {
    isOver.current = false;
    const reqUid = returned();
    if (reqUid !== null && !began.current) {
      began.current = true;
      // What the provider added to the address belongs in no history.
      globalThis.history.replaceState(globalThis.history.state, '', globalThis.location.pathname);
      void follow(reqUid);
    }
    return () => {
      isOver.current = true;
    };
  }, [follow]);

  /** Follows the answer of a call that saves. @param close closes the dialog it was sent from */
  const take = async (answer: SetupAnswer, close: () => void): Promise<void> => {
    const end = endOf(answer);
    if (end?.is === 'action') {
      await leaveTo(end.url);
      return close();
    }
    close();
    if (end === undefined) void follow(answer.reqUid);
    else await settle(end, answer.reqUid);
  };
  return { open, take, follow: (reqUid: string) => void follow(reqUid) };
}
