import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { Icon, type IconName } from '../icon.tsx';
import styles from './status-pill.module.css';

interface StatusPillProps {
  readonly tone: 'success' | 'danger' | 'info' | 'warning' | 'neutral' | 'outline';
  /** Always beside the word: a state is never told by colour alone. `outline` may go without. */
  readonly icon?: IconName | undefined;
  /** On the screen a button beside it says as much. */
  readonly onPaper?: boolean;
  readonly children: ReactNode;
}

/** A state in an icon and a word: Paid ✓ success, Overdue ! danger, Being confirmed clock info, Credited ↩ neutral. */
export const StatusPill = ({ tone, icon, onPaper = false, children }: StatusPillProps) => (
  <span className={classNames(styles.pill, tone !== 'neutral' && styles[tone], onPaper && styles.onPaper)}>
    {icon && <Icon name={icon} />}
    {children}
  </span>
);
