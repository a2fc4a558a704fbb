import { type RefObject, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { formatDay } from '../../text/format.ts';
import styles from './filter-bar.module.css';

interface Chosen {
  readonly label: string;
  readonly value: string;
}

/**
 * What is chosen in the filters, as one line for paper, which has no boxes to press. Read from the filters themselves
 * when the page is being printed, so that no screen can forget it. What stands for 'all' is left out.
 * @param filters the element around the filters; on paper they are not drawn
 */
export function FilterLine({ filters }: { readonly filters: RefObject<HTMLElement | null> }) {
  const [chosen, setChosen] = useState<readonly Chosen[]>([]);
  useEffect(() => {
    // The browser lays the page out right after the event.
    const read = () => flushSync(() => setChosen(filters.current ? chosenIn(filters.current) : []));
    globalThis.addEventListener('beforeprint', read);
    return () => globalThis.removeEventListener('beforeprint', read);
  }, [filters]);
  if (chosen.length === 0) return null;
  return (
    <p className={styles.line}>
      {chosen.map(({ label, value }) => (
        <span key={label}>
          {label}: <bdi>{value}</bdi>
        </span>
      ))}
    </p>
  );
}

function chosenIn(filters: HTMLElement): readonly Chosen[] {
  return [...filters.querySelectorAll('label')].flatMap((label) => {
    const { control } = label;
    const value = control === null ? '' : textOf(control);
    return value === '' ? [] : [{ label: (label.textContent ?? '').replace(/\s*:$/, ''), value }];
  });
}

function textOf(control: HTMLElement): string {
  if (control instanceof HTMLSelectElement)
    return control.value === '' ? '' : (control.selectedOptions[0]?.text ?? '');
  if (control instanceof HTMLInputElement)
    return control.type === 'date' && control.value !== '' ? formatDay(control.value) : control.value;
  // A list that is searched: what it holds stands beside its button.
  const held = control.parentElement?.querySelector<HTMLInputElement>('input[type=hidden]');
  return held?.value === '' ? '' : (control.textContent ?? '');
}
