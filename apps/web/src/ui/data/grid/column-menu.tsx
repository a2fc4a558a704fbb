import { type MouseEvent, useId, useState } from 'react';
import { Button } from '../../fields/button.tsx';
import { Checkbox } from '../../fields/checkbox.tsx';
import { Icon } from '../../icon.tsx';
import { placePopover } from '../../overlays/place-popover.ts';
import { VisuallyHidden } from '../../visually-hidden.tsx';
import { t } from '../record-messages.ts';
import {
  type ColumnChoice,
  choiceToStore,
  leastWidth,
  MAX_WIDTH,
  shownIds,
  stepWidth,
  toggleColumn,
} from './column-choice.ts';
import styles from './column-menu.module.css';
import type { GridColumn } from './grid-types.ts';

interface ColumnMenuProps<Row> {
  /** As the grid gives them, without the choice. */
  readonly columns: readonly GridColumn<Row>[];
  readonly choice: ColumnChoice;
  /** What each column needs, in rem. */
  readonly floors: Readonly<Record<string, number>>;
  readonly disabled: boolean;
  /** Told how the choice changes, for another may have come since it was drawn. */
  readonly onChoose: (change: (choice: ColumnChoice) => ColumnChoice) => void;
}

/** Which columns a grid shows, and how wide. Every change shows in the table behind at once. */
export function ColumnMenu<Row>({ disabled, ...choices }: ColumnMenuProps<Row>) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" size="small" popoverTarget={id} disabled={disabled}>
        {t('grid.columns')}
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
        {isOpen && <Choices {...choices} />}
      </div>
    </>
  );
}

type ChoicesProps<Row> = Omit<ColumnMenuProps<Row>, 'disabled'>;

function Choices<Row>({ columns, choice, floors, onChoose }: ChoicesProps<Row>) {
  const shown = shownIds(columns, choice);
  return (
    <>
      <ul aria-label={t('grid.columns')}>
        {columns.map((column) => {
          const isShown = shown.includes(column.id);
          return (
            <li key={column.id}>
              <Checkbox
                label={column.label}
                labelShown
                checked={isShown}
                disabled={isShown && shown.length === 1}
                onChange={() => onChoose((before) => toggleColumn(columns, before, column.id))}
              />
              {isShown && <WidthSteps {...{ column, choice, floors, onChoose }} />}
            </li>
          );
        })}
      </ul>
      <Button
        variant="quiet"
        size="small"
        aria-disabled={choiceToStore(choice) === null}
        onClick={() => onChoose(() => ({ hidden: [], widths: {} }))}
      >
        <Icon name="undo" />
        {t('grid.reset')}
      </Button>
    </>
  );
}

interface WidthStepsProps<Row> extends Pick<ColumnMenuProps<Row>, 'choice' | 'floors' | 'onChoose'> {
  readonly column: GridColumn<Row>;
}

function WidthSteps<Row>({ column, choice, floors, onChoose }: WidthStepsProps<Row>) {
  const chosen = choice.widths[column.id];
  const least = leastWidth(column, floors[column.id]);
  const width = chosen === undefined ? undefined : Math.max(chosen, least);
  const step = (direction: 'narrower' | 'wider') => (event: MouseEvent<HTMLButtonElement>) => {
    const drawn = width ?? drawnWidth(event.currentTarget, column.id);
    onChoose((before) => {
      const from = Math.max(before.widths[column.id] ?? drawn, least);
      return stepWidth(before, column.id, { from, least }, direction);
    });
  };
  return (
    <span className={styles.steps}>
      <Button
        variant="quiet"
        size="small"
        aria-label={t('grid.narrower', { column: column.label })}
        aria-disabled={width === least}
        onClick={step('narrower')}
      >
        <Icon name="minus" />
      </Button>
      <output>
        <VisuallyHidden>{t('grid.widthOf', { column: column.label })}</VisuallyHidden>{' '}
        {width ?? t('grid.widthAuto')}
      </output>
      <Button
        variant="quiet"
        size="small"
        aria-label={t('grid.wider', { column: column.label })}
        aria-disabled={width === MAX_WIDTH}
        onClick={step('wider')}
      >
        <Icon name="plus" />
      </Button>
    </span>
  );
}

/** How wide a column without a width of its own stands in the table now, in rem. */
function drawnWidth(within: HTMLElement, id: string): number {
  const head = within.closest('[data-grid]')?.querySelector(`th[data-column="${CSS.escape(id)}"]`);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return (head?.getBoundingClientRect().width ?? 0) / rem;
}
