import { type ReactNode, useState } from 'react';
import type { LinkEnd } from '../lib/password-by-link.ts';
import styles from '../ui/fields/form.module.css';
import { Outcome } from '../ui/overlays/outcome.tsx';
import { EntryPage } from './entry-page.tsx';

interface LinkPageProps {
  readonly title: string;
  /** What is said when the form has come to its end. */
  readonly ends: Readonly<Record<LinkEnd, string>>;
  /** Text of the link to the sign-in page. */
  readonly back: string;
  readonly form: (onEnd: (end: LinkEnd) => void) => ReactNode;
}

/** The page of a mailed link: the form until success or failure, then what came of it. */
export function LinkPage({ title, ends, back, form }: LinkPageProps) {
  const [end, setEnd] = useState<LinkEnd>();
  return (
    <EntryPage title={title}>
      {end === undefined ? (
        form(setEnd)
      ) : (
        <Outcome tone={end === 'success' ? 'success' : 'danger'}>{ends[end]}</Outcome>
      )}
      <p className={styles.links}>
        <a href="/login">{back}</a>
      </p>
    </EntryPage>
  );
}
