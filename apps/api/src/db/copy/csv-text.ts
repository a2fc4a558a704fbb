import { FORMULA_START } from '@counterfoil/domain/text/csv.ts';
import { type Sql, sql } from '../sql.ts';

/**
 * A text as a cell of `COPY … (format csv, force_quote …)`: what a spreadsheet might run as a formula gets an
 * apostrophe in front, as `csvCell` of the domain gives it. The characters most texts begin with are looked at alone,
 * since a million texts pass here: nothing but digits, letters and signs that begin no formula, or nothing at all.
 */
export const csvText = (text: Sql): Sql => sql`
  case when ascii(${text}) = 0 or ascii(${text}) between 46 and 60 or ascii(${text}) between 65 and 126 then ${text}
       when ascii(${text}) = 43 or ${text} ~ ${sql.lit(FORMULA_START)} then '''' || ${text}
       else ${text} end`;
