import { useEffect, useId, useRef, useState } from 'react';
import type { EntryFieldsProps, EntryStatus } from '../../port/browser.ts';
import styles from './entry.module.css';
import { FieldError, StatusLine } from './field-parts.tsx';
import type { FieldStates, ProviderSession } from './provider-session.ts';

/** From then on the page says that it takes longer than usual, and offers to start over. */
const slowAfterMs = 6_000;

/** A provider's inputs, each in a frame of its own: labels, boxes, errors, and what to do when they do not come. */
export function ProviderFields({
  session,
  disabled = false,
  onState,
}: Pick<EntryFieldsProps, 'disabled' | 'onState'> & { readonly session: ProviderSession }) {
  const [states, setStates] = useState<FieldStates>({});
  const [loading, setLoading] = useState<'loading' | 'slow' | 'failed'>('loading');
  const [round, setRound] = useState(0);
  const boxes = useRef(new Map<string, HTMLElement>());
  const id = useId();
  const isReady = session.fields.every((field) => states[field]?.isReady === true);
  const isComplete = session.fields.every(
    (field) => states[field]?.isComplete === true && states[field].error === '',
  );
  const status: EntryStatus = isReady ? 'ready' : loading;

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

  const field = (name: string) => {
    const state = states[name];
    const error = state?.error ?? '';
    return (
      <div className={styles.field} key={name}>
        {/* The input lives in a frame, out of a label's reach: the group carries the name, a click goes on. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a label's click, for a pointer only; the input itself is reached by keyboard */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
        <span className={styles.label} id={`${id}-${name}`} onClick={() => session.focus(name)}>
          {session.labels[name]}
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
        <FieldError id={`${id}-${name}-error`}>{error}</FieldError>
      </div>
    );
  };

  const [first, ...others] = session.fields;
  return (
    <div className={styles.fields} aria-busy={status === 'loading' || status === 'slow'}>
      {first !== undefined && field(first)}
      {others.length > 0 && <div className={styles.two}>{others.map(field)}</div>}
      <StatusLine status={status} onRetry={() => setRound((now) => now + 1)} />
    </div>
  );
}
