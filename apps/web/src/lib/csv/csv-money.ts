import { type CsvDecimal, csvDecimal } from '@counterfoil/domain/text/csv.ts';
import { plainMoney } from '../../text/format.ts';

/** An amount in a file: a number, with as many decimals as the brand shows. @param currency ISO 4217 */
export const csvMoney = (amount: number, currency: string): CsvDecimal =>
  csvDecimal(plainMoney(amount, currency));
