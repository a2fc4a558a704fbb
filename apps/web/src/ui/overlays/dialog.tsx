import { type ReactNode, useEffect, useId, useRef } from 'react';
import { classNames } from '../class-names.ts';
import styles from './dialog.module.css';
import { LongWaitNote } from './long-wait.tsx';

interface DialogProps {
  readonly title: ReactNode;
  readonly open: boolean;
  /** Escape, the backdrop, or the browser's back gesture. Not called while `locked`. */
  readonly onClose: () => void;
  /** Something runs that must be seen to its end: Escape and backdrop do nothing. */
  readonly locked?: boolean;
  /** 896 px instead of 512, for a grid. */
  readonly wide?: boolean;
  readonly children: ReactNode;
  /** Buttons: Cancel, then the act. */
  readonly actions?: ReactNode;
}

/** A modal in the browser's own `dialog`: it traps and returns the focus, and the rest is inert. */
export function Dialog({ title, open, onClose, locked = false, wide, children, actions }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!element || !open) return;
    // The element returns the focus itself only while it is still in the page, which it no longer is here.
    const opener = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [open]);

  if (!open) return null;
  return (
    // The element's own Escape handling arrives as `cancel`; the click below is the backdrop's.
    <dialog
      ref={dialog}
      className={classNames(styles.dialog, wide && styles.wide)}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!locked) onClose();
      }}
      onKeyDown={(event) => {
        // Chromium closes a dialog on the second Escape even when `cancel` is refused.
        if (event.key === 'Escape' && locked) event.preventDefault();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget && isOutside(event.currentTarget, event) && !locked)
          onClose();
      }}
    >
      <div className={styles.head}>
        <h2 id={titleId}>{title}</h2>
      </div>
      <div className={styles.body}>{children}</div>
      {actions && <div className={styles.foot}>{actions}</div>}
      <LongWaitNote />
    </dialog>
  );
}

function isOutside(
  element: HTMLElement,
  at: { readonly clientX: number; readonly clientY: number },
): boolean {
  const box = element.getBoundingClientRect();
  return at.clientX < box.left || at.clientX > box.right || at.clientY < box.top || at.clientY > box.bottom;
}
