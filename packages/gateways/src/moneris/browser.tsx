/** Moneris in the browser: number and code go into the provider's frame, the expiry stands beside it, our code sends a key. */
import { expiryToWire } from '@counterfoil/domain/paying/card.ts';
import { useCallback, useState } from 'react';
import { cardInputs } from '../kit/browser/card-inputs.ts';
import { FrameHost } from '../kit/browser/frame-host.tsx';
import { OwnFields } from '../kit/browser/own-fields.tsx';
import { OwnInputs } from '../kit/browser/own-inputs.ts';
import { pageWords } from '../kit/browser/page-words.ts';
import { createEntry as standardEntry } from '../kit/browser/standard-entry.tsx';
import { words } from '../kit/browser/words.ts';
import type {
  CreateEntry,
  Entered,
  EntryFieldsProps,
  EntryState,
  EntryStatus,
  MethodEntry,
} from '../port/browser.ts';
import { type FrameAnswer, readAnswer } from './frame-answer.ts';

/**
 * How the provider's inputs look: like ours beside them, in the colours of the page, as far as its page takes style. Without
 * `display_labels` it shows two boxes that nothing names.
 */
function look(): URLSearchParams {
  const roles = getComputedStyle(document.documentElement);
  const [surface, ink, line] = ['surface', 'ink', 'line-strong'].map((role) =>
    roles.getPropertyValue(`--${role}`).trim(),
  );
  const colours = `background:${surface};color:${ink}`;
  return new URLSearchParams({
    css_body: `margin:0;font:16px system-ui,sans-serif;${colours}`,
    css_textbox: `display:block;box-sizing:border-box;width:100%;height:44px;margin:6px 0 16px;padding:0 12px;border:1px solid ${line};border-radius:6px;outline-offset:-3px;font:inherit;${colours}`,
    display_labels: '1',
    pan_label: words.number,
    cvd_label: words.cvc,
  });
}

/** Longest wait for the frame's answer, milliseconds. */
const answerMs = 30_000;

export const createEntry: CreateEntry = (kind, config) =>
  config.how === 'providerFrame'
    ? frameEntry(`${config.public['frameUrl']}&${look()}`)
    : standardEntry(kind, config);

function frameEntry(url: string): MethodEntry {
  const expiry = new OwnInputs(cardInputs().fields.filter(({ name }) => name === 'expiry'));
  const { origin } = new URL(url);
  let frame: Window | null = null;
  let answered: (said: FrameAnswer) => void = () => undefined;

  /** Any message orders the frame to trade what stands in it for a key. */
  const ask = (target: Window): Promise<Entered> => {
    const answer = new Promise<Entered>((resolve) => {
      const late = setTimeout(() => resolve({ error: words.unreachable }), answerMs);
      answered = (said) => {
        clearTimeout(late);
        if ('error' in said) return resolve(said);
        const expirationDate = expiryToWire(expiry.textOf('expiry')) ?? '';
        resolve({ token: said.key, beside: { expirationDate } });
      };
    });
    target.postMessage('', origin);
    return answer;
  };

  return {
    Fields: (props) => (
      <FrameFields
        {...props}
        url={url}
        expiry={expiry}
        onWindow={(window) => {
          frame = window;
        }}
        onData={(data) => {
          const said = readAnswer(data);
          if (said !== undefined) answered(said);
          return said !== undefined;
        }}
      />
    ),
    problems: () => [
      ...(frame === null ? [{ field: 'card', text: words.notReady }] : []),
      ...expiry.problems(),
    ],
    focus: (field) => expiry.focus(field),
    submit: () => (frame === null ? Promise.resolve({ error: words.notReady }) : ask(frame)),
    needsPrepared: false,
  };
}

interface FrameFieldsProps extends EntryFieldsProps {
  readonly url: string;
  readonly expiry: OwnInputs;
  readonly onWindow: (frame: Window | null) => void;
  readonly onData: (data: unknown) => boolean;
}

function FrameFields({ url, expiry, onWindow, onData, onState, ...props }: FrameFieldsProps) {
  const [status, setStatus] = useState<EntryStatus>('loading');
  const inputs = new URL(url).searchParams.get('enable_cvd') === '1' ? 2 : 1;
  const [action] = useState(() => ({ do: 'frame', url, origins: [new URL(url).origin] }) as const);
  // What stands in the frame the page does not know: its answer tells.
  const tell = useCallback(
    ({ isComplete }: EntryState) => onState?.({ status, isComplete: isComplete && status === 'ready' }),
    [onState, status],
  );
  return (
    <>
      <FrameHost
        {...{ action, onWindow, onData }}
        title={pageWords.cardFrame}
        inputs={inputs}
        onStatus={setStatus}
      />
      <OwnFields {...props} inputs={expiry} onState={tell} />
    </>
  );
}
