import { useEffect, useState } from 'react';
import type { EntryFieldsProps, EntryStatus, MethodKind } from '../../port/browser.ts';
import { StatusLine } from './field-parts.tsx';
import { type FrameAction, FrameHost, isFrameAction } from './frame-host.tsx';
import { pageWords } from './page-words.ts';

interface FrameEntryProps extends EntryFieldsProps {
  readonly kind: MethodKind;
  /** Of the form, however often its page is made again. */
  readonly said: SaidBefore;
}

/** Why the page before took nothing; empty once it was shown. */
export interface SaidBefore {
  why: string;
}

/**
 * The provider's page of a prepared entry. When it says that it is done the form is sent by itself: the number went its own
 * way, and whether it arrived our server knows.
 */
export function FrameEntryFields({ kind, said, prepared, onState, onReload }: FrameEntryProps) {
  const action = prepared?.action;
  // The gateway wants something else than a frame.
  if (!isFrameAction(action))
    return <StatusLine status="failed" failed={pageWords.frameFailed} onRetry={() => onReload?.()} />;
  const onRefused = (why: string) => {
    said.why = why;
    onReload?.();
  };
  return <EntryFrame key={prepared?.entryId} {...{ kind, said, action, onState, onRefused }} />;
}

interface EntryFrameProps extends Pick<FrameEntryProps, 'kind' | 'said' | 'onState'> {
  readonly action: FrameAction;
  readonly onRefused: (why: string) => void;
}

function EntryFrame({ kind, said, action, onState, onRefused }: EntryFrameProps) {
  const [told] = useState(said.why);
  const [status, setStatus] = useState<EntryStatus>('loading');
  const [isEntered, setEntered] = useState(false);
  const shown = isEntered ? 'entered' : status;
  useEffect(() => {
    said.why = '';
  }, [said]);
  useEffect(() => onState?.({ status: shown, isComplete: isEntered }), [onState, shown, isEntered]);
  return (
    <FrameHost
      action={action}
      title={kind === 'card' ? pageWords.cardFrame : pageWords.bankFrame}
      told={told}
      onRefused={onRefused}
      onStatus={setStatus}
      onReload={() => setEntered(true)}
    />
  );
}
