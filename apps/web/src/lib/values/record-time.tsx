import { formatDay } from '../../text/format.ts';

interface RecordTimeProps {
  /** ISO instant */
  readonly date: string;
  /** Class of what matters less. */
  readonly muted: string | undefined;
}

/** When a usage record began: day and time in UTC, to the second, wherever records are listed. */
export const RecordTime = ({ date, muted }: RecordTimeProps) => (
  <time dateTime={date}>
    {formatDay(date)} <span className={muted}>{date.slice(11, 19)}</span>
  </time>
);
