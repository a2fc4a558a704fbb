import type { ReactNode } from 'react';
import { Box } from './box.tsx';
import styles from './parts.module.css';

/** A term and what there is to say. */
export type Fact = readonly [term: string, value: ReactNode];

/** A box of terms with their values, a line each. */
export const Facts = ({ title, facts }: { readonly title: string; readonly facts: readonly Fact[] }) => (
  <Box title={title}>
    <dl className={styles.rows}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </Box>
);
