import { useEffect, useId, useRef, useState } from 'react';
import type { CardEntryStatus, CardField, CardFieldsProps } from '../../port/browser.ts';
import styles from './card-fields.module.css';
import { type CardSession, defaultTexts, type FieldStates } from './card-session.ts';

/** From then on the page says that it takes longer than usual, and offers to start over. */
const slowAfterMs = 6_000;

/** Decoration beside an error, which stands in words. */
const Alert = () => (
  <svg
    viewBox="0 0 16 16"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    aria-hidden="true"
  >
    <path d="M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0M8 4.8v3.7M8 11v.1" />
  </svg>
);

/** The card inputs of one session: labels, boxes, errors, and what to do when they do not come. */
export function CardFields({
  session,
  disabled = false,
  texts,
  onState,
}: CardFieldsProps & { session: CardSession }) {
  const [states, setStates] = useState<FieldStates>({});
  const [loading, setLoading] = useState<'loading' | 'slow' | 'failed'>('loading');
  const [round, setRound] = useState(0);
  const boxes = useRef(new Map<CardField, HTMLElement>());
  const id = useId();
  const words = { ...defaultTexts, ...texts };
  const isReady = session.fields.every((field) => states[field]?.isReady === true);
  const isComplete = session.fields.every(
    (field) => states[field]?.isComplete === true && states[field].error === '',
  );
  const status: CardEntryStatus = isReady ? 'ready' : loading;

  useEffect(() => {
    session.texts = { ...defaultTexts, ...texts };
  }, [session, texts]);

  useEffect(() => {
    setLoading('loading');
    setStates({});
    session.changed = setStates;
    const slow = setTimeout(() => setLoading((now) => (now === 'loading' ? 'slow' : now)), slowAfterMs);
    const unmount = session.mount(boxes.current, round > 0, () => setLoading('failed'));
    return () => {
      clearTimeout(slow);
      session.changed = () => undefined;
      unmount();
    };
  }, [session, round]);

  useEffect(() => {
    if (isReady) session.disable(disabled);
  }, [session, disabled, isReady]);

  useEffect(() => onState?.({ status, isComplete }), [onState, status, isComplete]);

  const field = (name: CardField) => {
    const state = states[name];
    const error = state?.error ?? '';
    return (
      <div className={styles.field} key={name}>
        {/* The input lives in a frame, out of a label's reach: the group carries the name, a click goes on. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a label's click, for a pointer only; the input itself is reached by keyboard */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
        <span className={styles.label} id={`${id}-${name}`} onClick={() => session.focus(name)}>
          {words[name]}
        </span>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw and announce a set of fields */}
        <div
          role="group"
          aria-labelledby={`${id}-${name}`}
          aria-describedby={`${id}-${name}-error`}
          className={styles.box}
          data-card-field={name}
          data-focused={state?.isFocused === true || undefined}
          data-invalid={error !== '' || undefined}
          data-disabled={disabled || undefined}
          ref={(box) => {
            if (box === null) boxes.current.delete(name);
            else boxes.current.set(name, box);
          }}
        />
        <span className={styles.error} id={`${id}-${name}-error`} aria-live="polite">
          {error !== '' && <Alert />}
          {error}
        </span>
      </div>
    );
  };

  const [first, ...others] = session.fields;
  return (
    <div className={styles.fields} aria-busy={status === 'loading' || status === 'slow'}>
      {first !== undefined && field(first)}
      {others.length > 0 && <div className={styles.two}>{others.map(field)}</div>}
      <div className={styles.status} role={status === 'failed' ? 'alert' : 'status'}>
        {(status === 'failed' || status === 'slow') && (
          <>
            <span>{status === 'failed' ? words.failed : words.slow}</span>
            <button type="button" className={styles.retry} onClick={() => setRound((now) => now + 1)}>
              {words.retry}
            </button>
          </>
        )}
      </div>
    </div>
  );
}
