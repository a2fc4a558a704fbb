import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { placePopover } from '../../ui/overlays/place-popover.ts';
import styles from './csv.module.css';
import { useCsvMark } from './csv-mark.ts';
import { CsvMarkChoice } from './csv-mark-choice.tsx';
import { t } from './messages.ts';

interface CsvButtonProps {
  /** The words on it. */
  readonly children: ReactNode;
  readonly disabled?: boolean;
  readonly busy?: boolean;
  readonly busyLabel?: string;
  /** @param byteOrderMark what the user chose for all CSV files */
  readonly onDownload: (byteOrderMark: boolean) => void;
}

/** Saves a CSV; the small half beside it holds what can be chosen about such files. */
export function CsvButton({ children, disabled, busy, busyLabel, onDownload }: CsvButtonProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { byteOrderMark } = useCsvMark();
  const waiting = { ...(busy !== undefined && { busy }), ...(busyLabel !== undefined && { busyLabel }) };
  return (
    <div className={styles.pair}>
      <Button disabled={disabled} onClick={() => onDownload(byteOrderMark)} {...waiting}>
        <Icon name="download" />
        {children}
      </Button>
      <Button iconOnly disabled={disabled} aria-label={t('options')} popoverTarget={id}>
        <Icon name="down" />
      </Button>
      <div
        id={id}
        popover="auto"
        className={styles.menu}
        onBeforeToggle={({ newState }) => newState === 'open' && setIsOpen(true)}
        onToggle={({ newState, currentTarget }) => {
          if (newState === 'open') placePopover(currentTarget, 'right');
          // Not before: the browser gives the focus back to the button only from within.
          else setIsOpen(false);
        }}
      >
        {isOpen && <CsvMarkChoice />}
      </div>
    </div>
  );
}
