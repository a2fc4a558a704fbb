import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatMoment } from '../../lib/values/moment.ts';
import { Box, Loaded, Nothing } from '../parts/box.tsx';
import parts from '../parts/parts.module.css';
import { t } from './messages.ts';
import { auditQueries } from './queries.ts';
import { actionWords, detailLines, whoActed } from './words.ts';

/** What happened with one customer lately, the newest first. */
export function History({ customerId }: { readonly customerId: string }) {
  const events = useQuery(auditQueries.ofCustomer(customerId));
  return (
    <Box
      title={t('history')}
      flush
      aside={
        <Link to={'/admin/audit' as never} search={{ customer: customerId } as never}>
          {t('history.all')}
        </Link>
      }
    >
      <Loaded query={events}>
        {({ data }) =>
          data.length === 0 ? (
            <Nothing>{t('history.none')}</Nothing>
          ) : (
            <ol className={parts.history}>
              {data.map((event) => {
                const { day, time } = formatMoment(event.at, 'UTC');
                return (
                  <li key={event.id}>
                    <time dateTime={event.at}>
                      {day} {time}
                    </time>
                    <div>
                      <b className={parts.strong}>{actionWords(event.action)}</b>{' '}
                      <span className={parts.muted}>{whoActed(event)}</span>
                      <span className={parts.more}>{detailLines(event.detail).join(' · ')}</span>
                    </div>
                  </li>
                );
              })}
            </ol>
          )
        }
      </Loaded>
    </Box>
  );
}
