import type { BrandValues, StandardMailText } from '@counterfoil/contract/operator/running/admin-brands.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { Button, LinkButton } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { Loaded } from '../parts/box.tsx';
import styles from './brands.module.css';
import { t } from './messages.ts';
import { brandQueries } from './queries.ts';

const screens = ['sign-in', 'dashboard', 'pay', 'mail', 'letter'] as const;
export type Screen = (typeof screens)[number];
const themes = ['light', 'dark'] as const;
const widths = [1280, 390] as const;

/** How long nothing has to be typed before the preview follows. */
const SETTLES_MS = 400;
/** A phone shows a phone, and leaves room for what is edited below. */
const isSmall = (): boolean => globalThis.innerWidth < 640;
const stagePx = (): number => (isSmall() ? 440 : 640);

function useSettled<T>(value: T): T {
  const content = JSON.stringify(value);
  const [settled, setSettled] = useState(content);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(content), SETTLES_MS);
    return () => clearTimeout(timer);
  }, [content]);
  return JSON.parse(settled) as T;
}

interface PreviewBoxProps {
  readonly id: number;
  readonly values: BrandValues;
  readonly screen: Screen;
  readonly onScreen: (screen: Screen) => void;
  /** Which mail is drawn as the mail. */
  readonly mail: StandardMailText['kind'];
}

/** The portal's own screens as they would be with the draft, drawn by the server with sample data. */
export function PreviewBox({ id, values, screen, onScreen, mail }: PreviewBoxProps) {
  const preview = useQuery({
    ...brandQueries.preview(id, useSettled(values)),
    placeholderData: keepPreviousData,
  });
  const [theme, setTheme] = useState<(typeof themes)[number]>('light');
  const [width, setWidth] = useState<(typeof widths)[number]>(() => (isSmall() ? 390 : 1280));
  // What a screen was drawn with last stays where the draft of now is refused.
  const [last, setLast] = useState<string>();
  if (preview.data !== undefined && preview.data.url !== last) setLast(preview.data.url);
  const isLetter = screen === 'letter';
  const isMail = screen === 'mail';
  const query = isLetter ? '' : `?theme=${theme}${isMail ? `&kind=${mail}` : ''}`;
  const address = `${last ?? ''}/${screen}${query}`;
  const stage = (
    <div className={styles.shown}>
      <div className={styles.choices}>
        {!isLetter && (
          <Choice label={t('preview.theme')}>
            {themes.map((one) => (
              <Button key={one} size="small" aria-pressed={one === theme} onClick={() => setTheme(one)}>
                {t(`contrast.${one}`)}
              </Button>
            ))}
          </Choice>
        )}
        {!isLetter && (
          <Choice label={t('preview.width')}>
            {widths.map((one) => (
              <Button key={one} size="small" aria-pressed={one === width} onClick={() => setWidth(one)}>
                {String(one)}
              </Button>
            ))}
          </Choice>
        )}
        {last !== undefined && (
          <LinkButton size="small" variant="quiet" href={address} target="_blank" rel="noreferrer">
            {t('preview.open')}
          </LinkButton>
        )}
      </div>
      {isMail && last !== undefined && <Subject address={address} />}
      {preview.error instanceof ApiError && last !== undefined && (
        <p className={styles.stale} role="status">
          <Icon name="info" /> {t('preview.stale', { why: preview.error.message })}
        </p>
      )}
      {last === undefined ? (
        <Loaded query={preview} height={`${stagePx()}px`}>
          {() => null}
        </Loaded>
      ) : (
        <Stage key={screen} screen={screen} address={address} width={isLetter ? 0 : width} />
      )}
    </div>
  );
  return (
    <section className={styles.preview} aria-label={t('preview')}>
      <Tabs
        label={t('preview')}
        selected={screen}
        onSelect={onScreen}
        tabs={screens.map((one) => ({ id: one, label: t(`screen.${one}`), content: stage }))}
      />
    </section>
  );
}

/** What the mail is about, which stands nowhere in it. */
function Subject({ address }: { readonly address: string }) {
  const { data } = useQuery({ ...brandQueries.subject(address), placeholderData: keepPreviousData });
  return <p className={styles.subject}>{data != null && t('preview.subject', { subject: data })}</p>;
}

const Choice = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <fieldset className={styles.choice} aria-label={label}>
    {children}
  </fieldset>
);

interface StageProps {
  readonly screen: Screen;
  readonly address: string;
  /** As wide as the window is meant to be, pixels; 0: as wide as there is room. */
  readonly width: number;
}

/** A screen in a frame of the width of its window, made as small as there is room. */
function Stage({ screen, address, width }: StageProps) {
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const watch = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0));
    watch.observe(current);
    return () => watch.disconnect();
  }, []);
  const scale = width === 0 || room === 0 ? 1 : Math.min(1, room / width);
  return (
    <div className={styles.stage} ref={box} style={{ blockSize: stagePx() }}>
      <iframe
        className={styles.frame}
        title={t('preview.frame', { screen: t(`screen.${screen}`) })}
        src={address}
        // Nothing in it runs. A browser shows a PDF only where it is not shut in.
        {...(screen === 'letter' ? {} : { sandbox: 'allow-same-origin' })}
        style={{
          inlineSize: width === 0 ? '100%' : width,
          blockSize: stagePx() / scale,
          transform: `scale(${scale})`,
          marginInlineStart: Math.max(0, (room - width * scale) / 2) * (width === 0 ? 0 : 1),
        }}
      />
    </div>
  );
}
