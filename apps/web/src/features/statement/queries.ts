import type { Statement } from '@counterfoil/contract/statement.ts';
import type { Period } from '@counterfoil/domain/time/period.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';

/** The account as the server prints it. */
export const fetchStatementPdf = ({ dateFrom, dateTo, currency }: Statement) =>
  api.file('/v1/ec/statement/pdf', { query: { dateFrom, dateTo, currency } });

export const statementQueries = {
  /** Asked for again at each visit: payments arrive from elsewhere. @param currency absent: the brand's, else one there is */
  span: ({ start, end }: Period, currency: string | undefined) =>
    queryOptions({
      queryKey: ['statement', start, end, currency],
      queryFn: ({ signal }) =>
        api.get<Statement>('/v1/ec/statement', {
          signal,
          query: { dateFrom: start, dateTo: end, currency },
        }),
      staleTime: 0,
    }),
};
