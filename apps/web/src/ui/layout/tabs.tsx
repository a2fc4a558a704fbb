import { type KeyboardEvent, type ReactNode, useId } from 'react';
import styles from './tabs.module.css';

export interface TabItem<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly content: ReactNode;
}

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly TabItem<Id>[];
  /** Held by the caller, normally in the URL (`?tab=`), so that back, reload and sharing work. */
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
}

/** Tabs with arrow keys, Home and End; only the chosen panel is in the page. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect }: TabsProps<Id>) {
  const base = useId();
  const index = Math.max(
    tabs.findIndex((tab) => tab.id === selected),
    0,
  );
  const current = tabs[index];
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: index + (rtl ? -1 : 1),
      ArrowLeft: index + (rtl ? 1 : -1),
      Home: 0,
      End: tabs.length - 1,
    };
    const target = steps[event.key];
    const next = target === undefined ? undefined : tabs[(target + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onSelect(next.id);
    document.getElementById(`${base}${next.id}`)?.focus();
  };
  return (
    <div className={styles.whole}>
      <div className={styles.tabs} role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            className={styles.tab}
            type="button"
            role="tab"
            id={`${base}${tab.id}`}
            aria-selected={tab === current}
            aria-controls={tab === current ? `${base}panel` : undefined}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => onSelect(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {current && (
        <div
          className={styles.panel}
          role="tabpanel"
          id={`${base}panel`}
          aria-labelledby={`${base}${current.id}`}
        >
          {current.content}
        </div>
      )}
    </div>
  );
}
