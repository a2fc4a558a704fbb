import { useEffect, useState } from 'react';
import type { EntryFieldsProps, EntryStatus, MethodKind } from '../../port/browser.ts';
import { StatusLine } from './field-parts.tsx';
import { type FrameAction, FrameHost, isFrameAction } from './frame-host.tsx';
import { pageWords } from './page-words.ts';

interface FrameEntryProps extends EntryFieldsProps {
  readonly kind: MethodKind;
}

/**
 * The provider's page of a prepared entry. When it says that it is done the form is sent by itself: the number went its own
 * way, and whether it arrived our server knows.
 */
export function FrameEntryFields({ kind, prepared, onState, onReload }: FrameEntryProps) {
  const action = prepared?.action;
  // The gateway wants something else than a frame.
  if (!isFrameAction(action))
    return <StatusLine status="failed" failed={pageWords.frameFailed} onRetry={() => onReload?.()} />;
  return <EntryFrame key={prepared?.entryId} {...{ kind, action, onState }} />;
}

interface EntryFrameProps extends Pick<FrameEntryProps, 'kind' | 'onState'> {
  readonly action: FrameAction;
}

function EntryFrame({ kind, action, onState }: EntryFrameProps) {
  const [status, setStatus] = useState<EntryStatus>('loading');
  const [isEntered, setEntered] = useState(false);
  const shown = isEntered ? 'entered' : status;
  useEffect(() => onState?.({ status: shown, isComplete: isEntered }), [onState, shown, isEntered]);
  return (
    <FrameHost
      action={action}
      title={kind === 'card' ? pageWords.cardFrame : pageWords.bankFrame}
      onStatus={setStatus}
      onReload={() => setEntered(true)}
    />
  );
}
