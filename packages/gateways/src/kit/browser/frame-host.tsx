import { useEffect, useId, useRef, useState } from 'react';
import type { Action, EntryStatus } from '../../port/browser.ts';
import styles from './entry.module.css';
import { StatusLine } from './field-parts.tsx';
import { dataOf, hintOf } from './frame-messages.ts';
import { pageWords } from './page-words.ts';

/** A warning is shown for so long, milliseconds (payments §2). */
const WARNING_MS = 5_000;
/** From then on the page says that it takes longer than usual, and offers to start over. */
const SLOW_MS = 6_000;
/** From then on the provider's page counts as not there. */
const LONGEST_MS = 30_000;

export type FrameAction = Extract<Action, { do: 'form' | 'frame' }>;

export const isFrameAction = (action: Action | undefined): action is FrameAction =>
  action?.do === 'form' || action?.do === 'frame';

interface FrameHostProps {
  readonly action: FrameAction;
  /** Names the frame for those who do not see it. */
  readonly title: string;
  /** So many inputs under their labels instead of a whole page: it stands among our inputs without a border of its own. */
  readonly inputs?: 1 | 2;
  readonly onStatus?: ((status: EntryStatus) => void) | undefined;
  readonly onReload?: (() => void) | undefined;
  /** Reads a message of this frame before it is taken for a hint. @returns whether it was one */
  readonly onData?: ((data: unknown) => boolean) | undefined;
  /** Shown at first: what was said of the page before this one. */
  readonly told?: string;
  /** Our own page has taken the place of the provider's, and says why nothing was taken: a form into it has to be made again. */
  readonly onRefused?: ((why: string) => void) | undefined;
  /** Gives the frame's window, for a provider whose page is asked by messages. */
  readonly onWindow?: ((frame: Window | null) => void) | undefined;
}

/**
 * A page of the provider in a frame: at its address, or by a form posted into it. Only messages of this frame from the
 * declared origins count. It is reached and left by keyboard like any other control.
 */
export function FrameHost({
  action,
  title,
  inputs,
  onStatus,
  onReload,
  onData,
  onWindow,
  told = '',
  onRefused,
}: FrameHostProps) {
  const [round, setRound] = useState(0);
  const [status, setStatus] = useState<EntryStatus>('loading');
  const [warning, setWarning] = useState(told);
  const frame = useRef<HTMLIFrameElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const latest = useRef({ onStatus, onReload, onData, onWindow, onRefused });
  const id = useId();
  useEffect(() => {
    latest.current = { onStatus, onReload, onData, onWindow, onRefused };
  });
  useEffect(() => latest.current.onStatus?.(status), [status]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` loads the page again
  useEffect(() => {
    setStatus('loading');
    const unless = (next: EntryStatus) => () => setStatus((now) => (now === 'ready' ? now : next));
    const slow = setTimeout(unless('slow'), SLOW_MS);
    const late = setTimeout(unless('failed'), LONGEST_MS);
    // Not in the markup: React takes an address that is computed for a function.
    form.current?.setAttribute('action', action.url);
    form.current?.submit();
    return () => {
      clearTimeout(slow);
      clearTimeout(late);
    };
  }, [action, round]);

  useEffect(() => {
    const onMessage = (event: MessageEvent<unknown>): void => {
      // Our own page stands in the frame once the provider's has called it back.
      const { origin } = globalThis.location;
      const data = dataOf(event, frame.current?.contentWindow, [...action.origins, origin]);
      if (data === undefined || latest.current.onData?.(data)) return;
      const hint = hintOf(data);
      if (hint?.is === 'reload') latest.current.onReload?.();
      if (hint?.is !== 'warning') return;
      setWarning(hint.text);
      if (event.origin === origin && !action.origins.includes(origin)) latest.current.onRefused?.(hint.text);
    };
    globalThis.addEventListener('message', onMessage);
    return () => globalThis.removeEventListener('message', onMessage);
  }, [action]);

  useEffect(() => {
    if (warning === '') return;
    const timer = setTimeout(() => setWarning(''), WARNING_MS);
    return () => clearTimeout(timer);
  }, [warning]);

  const name = `frame-${id.replace(/\W/g, '')}`;
  return (
    <div className={styles.host} aria-busy={status === 'loading' || status === 'slow'}>
      {action.do === 'form' && (
        <form key={round} ref={form} hidden method="post" target={name}>
          {Object.entries(action.fields).map(([field, value]) => (
            <input key={field} type="hidden" name={field} value={value} />
          ))}
        </form>
      )}
      {status !== 'failed' && (
        <iframe
          key={`${round}-${action.url}`}
          ref={frame}
          name={name}
          title={title}
          className={inputs === undefined ? styles.frame : styles.bare}
          data-inputs={inputs}
          src={action.do === 'frame' ? action.url : undefined}
          data-status={status}
          onLoad={() => {
            // Posted into, the frame first loads nothing at all.
            if (action.do === 'form' && isBlank(frame.current)) return;
            setStatus('ready');
            latest.current.onWindow?.(frame.current?.contentWindow ?? null);
          }}
        />
      )}
      <StatusLine
        status={status}
        slow={pageWords.frameSlow}
        failed={pageWords.frameFailed}
        onRetry={() => setRound((now) => now + 1)}
      />
      <p className={styles.warning} role="status">
        {warning}
      </p>
    </div>
  );
}

/** Whether a frame is still at the blank page it begins with: that of anybody else cannot be looked into. */
function isBlank(frame: HTMLIFrameElement | null): boolean {
  try {
    return frame?.contentWindow?.location.href === 'about:blank';
  } catch {
    return false;
  }
}
