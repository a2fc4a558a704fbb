import { usePreference } from '../preferences.ts';

/** Key of the preference; only `false` is stored, because with a mark is how it is by itself. */
const KEY = 'csv.byte-order-mark';

export interface CsvMark {
  /** Whether CSV files begin with the mark by which spreadsheets know UTF-8. */
  readonly byteOrderMark: boolean;
  readonly chooseMark: (byteOrderMark: boolean) => void;
}

/** One choice of the user for every CSV the portal saves, whether the browser or the server writes it. */
export function useCsvMark(): CsvMark {
  const { value, choose } = usePreference(KEY);
  return { byteOrderMark: value !== false, chooseMark: (mark) => choose(() => (mark ? null : false)) };
}
