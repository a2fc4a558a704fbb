import type { MySession } from '@counterfoil/contract/people/sessions.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { timeAgo } from '../../lib/values/relative-time.ts';
import type { DeviceIconName } from '../../ui/data/device-icon.tsx';
import { t } from './messages.ts';

/** What a session is called: 'Firefox on Windows', or who of support it is. */
export function deviceName({ browser, system, support }: MySession): string {
  if (support !== null) return t('device.support', { name: support });
  if (browser !== null && system !== null) return t('device.both', { browser, system });
  return browser ?? system ?? t('device.unknown');
}

const pocket = new Set(['iPhone', 'Android']);

export const deviceIcon = ({ system, support }: MySession): DeviceIconName => {
  if (support !== null) return 'person';
  return system !== null && pocket.has(system) ? 'phone' : 'computer';
};

/**
 * The lines under its name: last use, and how and from where it began.
 * @param timeZone the brand's
 */
export function sessionFacts(session: MySession, timeZone: string, now?: number): string[] {
  const { address, method } = session;
  const since = t(`since.${method}`, formatMoment(session.createdAt, timeZone));
  const began = address === null ? since : `${since}, ${t('from', { address })}`;
  if (session.current) return [began];
  const ago = timeAgo(session.lastUsedAt, now);
  return [t('lastUsed', { ago, ...formatMoment(session.lastUsedAt, timeZone) }), began];
}
