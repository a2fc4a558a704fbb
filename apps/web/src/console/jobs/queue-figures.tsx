import type { Jobs } from '@counterfoil/contract/operator/running/installation.ts';
import { formatNumber } from '../../text/format.ts';
import parts from '../parts/parts.module.css';
import { t } from './messages.ts';

const figures = ['waiting', 'running', 'later', 'givenUp'] as const;

/** How the queue stands, in a strip. */
export const QueueFigures = ({ queue }: Pick<Jobs, 'queue'>) => (
  <section aria-label={t('queue.title')}>
    <dl className={parts.figures}>
      {figures.map((figure) => (
        <div key={figure}>
          <dt>{t(`queue.${figure}`)}</dt>
          <dd className={parts.amount}>{formatNumber(queue[figure])}</dd>
        </div>
      ))}
    </dl>
  </section>
);
