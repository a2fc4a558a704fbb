import { useQuery } from '@tanstack/react-query';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { todayQueries } from '../today/queries.ts';
import { t } from './messages.ts';
import styles from './shell.module.css';

interface PlaceEndProps {
  readonly path: string;
  /** The key that goes there, after G. */
  readonly letter: string;
}

/** At the end of a place: its key; where work waits, how much. */
export const PlaceEnd = ({ path, letter }: PlaceEndProps) =>
  path === '/admin/today' ? <Waiting letter={letter} /> : <Letter letter={letter} />;

const Letter = ({ letter }: Pick<PlaceEndProps, 'letter'>) => <i aria-hidden="true">{letter}</i>;

function Waiting({ letter }: Pick<PlaceEndProps, 'letter'>) {
  const { data } = useQuery(todayQueries.needs);
  if (data === undefined || data.count === 0) return <Letter letter={letter} />;
  return (
    <b className={styles.count}>
      {data.count} <VisuallyHidden>{t('nav.waiting')}</VisuallyHidden>
    </b>
  );
}
