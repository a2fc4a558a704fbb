import { type ReactNode, type Ref, useId } from 'react';
import { classNames } from '../class-names.ts';
import { Icon, type IconName } from '../icon.tsx';
import { Spinner } from '../overlays/spinner.tsx';
import styles from './slip.module.css';

interface SlipProps {
  readonly top: ReactNode;
  /** Below the perforation. */
  readonly bottom?: ReactNode;
}

/** One slip of paper, torn at the perforation between amount and form. */
export const Slip = ({ top, bottom }: SlipProps) => (
  <div className={styles.slip}>
    <div className={styles.part}>{top}</div>
    {bottom && (
      <>
        <div className={styles.tear} aria-hidden="true" />
        <div className={styles.part}>{bottom}</div>
      </>
    )}
  </div>
);

const marks = {
  paid: 'check',
  confirming: undefined,
  failed: 'close',
  waiting: 'clock',
  warning: 'alert',
  credited: 'undo',
  locked: 'lock',
} satisfies Record<string, IconName | undefined>;

export type OutcomeTone = keyof typeof marks;

interface OutcomeProps {
  readonly tone: OutcomeTone;
  readonly title: string;
  /** Takes the focus when the outcome arrives. */
  readonly headingRef?: Ref<HTMLHeadingElement> | undefined;
  readonly children: ReactNode;
}

/** How it ended, in an icon and words: the first thing on its slip. */
export function OutcomeHead({ tone, title, headingRef, children }: OutcomeProps) {
  const id = useId();
  const mark = marks[tone];
  return (
    <section className={styles.outcome} aria-labelledby={id}>
      <span className={classNames(styles.mark, styles[tone])}>
        {mark ? <Icon name={mark} /> : <Spinner isLongExpected />}
      </span>
      <h1 id={id} tabIndex={-1} ref={headingRef}>
        {title}
      </h1>
      {children}
    </section>
  );
}
