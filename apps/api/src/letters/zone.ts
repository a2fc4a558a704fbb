/** '10.01.2026 08:53:02' on the clock of a zone; made once and used for many. */
export function clockOf(timeZone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    },
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const of = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
    return `${of('month')}.${of('day')}.${of('year').padStart(4, '0')} ${of('hour')}:${of('minute')}:${of('second')}`;
  };
}

/** 'America/New_York' as 'New York time'; 'UTC' stays. */
export function zoneName(timeZone: string): string {
  if (!timeZone.includes('/') || timeZone.startsWith('Etc/')) return timeZone.replace('Etc/', '');
  return `${timeZone.split('/').at(-1)?.replaceAll('_', ' ')} time`;
}

/** 'UTC−5', 'UTC+10:30' at an instant. */
export function offsetText(timeZone: string, at: Date): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' });
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return name.replace('GMT', 'UTC').replace('-', '−');
}
