import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react';
import { classNames } from '../class-names.ts';
import { Spinner } from '../overlays/spinner.tsx';
import styles from './button.module.css';

export interface ButtonLook {
  /** `primary`: the one act of a view. `secondary` (default): outlined. `quiet`: text only. */
  readonly variant?: 'primary' | 'secondary' | 'quiet' | undefined;
  readonly size?: 'small' | 'normal' | 'tall' | undefined;
  readonly wide?: boolean | undefined;
  readonly danger?: boolean | undefined;
  /** Square, for an icon; give it an `aria-label`. */
  readonly iconOnly?: boolean | undefined;
}

/** Class names of a button's look, for elements that a router or a form renders itself. */
export const buttonClass = (look: ButtonLook, className?: string): string =>
  classNames(
    styles.button,
    look.variant === 'primary' && styles.primary,
    look.variant === 'quiet' && styles.quiet,
    look.size === 'small' && styles.small,
    look.size === 'tall' && styles.tall,
    look.wide && styles.wide,
    look.danger && styles.danger,
    look.iconOnly && styles.iconOnly,
    className,
  );

type ButtonProps = ButtonLook &
  ButtonHTMLAttributes<HTMLButtonElement> & {
    /** The act is under way: a spinner and `busyLabel` take the label's place, width and focus stay. */
    readonly busy?: boolean;
    /** "Signing in…"; without it the label itself stays beside the spinner. */
    readonly busyLabel?: string;
    /** That it lasts is told beside it already. */
    readonly isLongExpected?: boolean;
  };

/** A push button. While busy it ignores presses but keeps the focus, so nobody is thrown to the page's top. */
export function Button(props: ButtonProps) {
  const { variant, size, wide, danger, iconOnly, busy, busyLabel, isLongExpected, ...others } = props;
  const { className, children, onClick, ...rest } = others;
  const look = { variant, size, wide, danger, iconOnly };
  const labels =
    busy === undefined ? (
      children
    ) : (
      <span className={styles.labels} data-reserve={busyLabel}>
        <span className={busy ? styles.away : undefined} aria-hidden={busy || undefined}>
          {children}
        </span>
        {busy && (
          <span>
            <Spinner isLongExpected={isLongExpected} />
            {busyLabel ?? children}
          </span>
        )}
      </span>
    );
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(look, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={(event) => {
        // A busy submit button must not submit again; `disabled` would drop the focus.
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {labels}
    </button>
  );
}

type LinkButtonProps = ButtonLook & AnchorHTMLAttributes<HTMLAnchorElement>;

/** A link that looks like a button: it goes somewhere, it does not do something. */
export function LinkButton(props: LinkButtonProps) {
  const { variant, size, wide, danger, iconOnly, className, children, ...rest } = props;
  const look = { variant, size, wide, danger, iconOnly };
  return (
    <a {...rest} className={buttonClass(look, className)}>
      {children}
    </a>
  );
}
