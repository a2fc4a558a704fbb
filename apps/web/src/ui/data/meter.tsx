import type { CSSProperties } from 'react';
import { classNames } from '../class-names.ts';
import styles from './meter.module.css';
import { meterState } from './meter-model.ts';

interface MeterProps {
  readonly label: string;
  readonly consumption: number;
  readonly quantity: number;
  /** The same in words: '1,874 of 2,000 GB, 126 GB left'. */
  readonly words: string;
}

/** A bar of consumption against a quantity; in the warning colour above 90 %, which words beside it say too. */
export function Meter({ label, consumption, quantity, words }: MeterProps) {
  const { share, tone } = meterState(consumption, quantity);
  return (
    <div
      className={classNames(styles.track, tone === 'warning' && styles.warning)}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share)}
      aria-valuetext={words}
    >
      <span style={{ '--share': `${share}%` } as CSSProperties} />
    </div>
  );
}
