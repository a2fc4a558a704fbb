import { type RefObject, useEffect, useRef } from 'react';

/**
 * Closes something that hangs from `root` when a press or the focus lands outside it, or on Escape.
 * @param dismiss `returnFocus` is true for Escape: the person is still at the control
 */
export function useDismiss(
  root: RefObject<HTMLElement | null>,
  open: boolean,
  dismiss: (returnFocus: boolean) => void,
): void {
  const latest = useRef(dismiss);
  useEffect(() => {
    latest.current = dismiss;
  });
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) latest.current(false);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') latest.current(true);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [open, root]);
}
