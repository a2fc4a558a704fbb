import type { AdminBrand } from '@counterfoil/contract/operator/running/admin-brands.ts';
import { brandRoles } from '@counterfoil/domain/text/palette.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { reportFailure } from '../../lib/error-banner.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Box } from '../parts/box.tsx';
import styles from './brands.module.css';
import { t } from './messages.ts';
import { type ImageKind, removeImage, storeImage } from './queries.ts';

const kinds = ['logo', 'banner'] as const satisfies readonly ImageKind[];

interface ImagesBoxProps {
  readonly brand: AdminBrand;
  readonly colours: readonly string[];
  readonly onDone: (words: string) => void;
}

/** Logo and banner, each on the grounds it will stand on. */
export function ImagesBox({ brand, colours, onDone }: ImagesBoxProps) {
  // A stored picture keeps its address: the number makes this page ask for the new one.
  const [version, setVersion] = useState(0);
  return (
    <Box title={t('images')} foot={t('images.about')}>
      <div className={styles.stack}>
        {kinds.map((kind) => (
          <Image
            key={kind}
            brand={brand}
            kind={kind}
            colours={colours}
            version={version}
            onDone={(words) => {
              setVersion(version + 1);
              onDone(words);
            }}
          />
        ))}
      </div>
    </Box>
  );
}

interface ImageProps extends ImagesBoxProps {
  readonly kind: ImageKind;
  readonly version: number;
}

function Image({ brand, kind, colours, version, onDone }: ImageProps) {
  const client = useQueryClient();
  const file = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const hasOwn = brand.images[kind];
  const word = t(`image.${kind}`);
  const act = async (work: () => Promise<unknown>, words: string) => {
    setBusy(true);
    setRefused(undefined);
    try {
      await work();
      await client.refetchQueries({ queryKey: ['brand', String(brand.id)] });
      onDone(words);
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) setRefused(error.message);
      else reportFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const chooseWord = t(hasOwn ? 'image.replace' : 'image.choose');
  const kindWord = word.toLowerCase();
  return (
    <section aria-label={word}>
      <div className={styles.imageHead}>
        <p>
          <b className={styles.strong}>{word}</b>{' '}
          <span className={styles.muted}>{t(hasOwn ? 'image.own' : 'image.builtIn')}</span>
        </p>
        <div className={styles.row}>
          {hasOwn && (
            <Button
              size="small"
              aria-label={t('image.name', { act: t('image.remove'), kind: kindWord })}
              onClick={() =>
                void act(() => removeImage(brand.id, kind), t('image.removed', { kind: kindWord }))
              }
            >
              {t('image.remove')}
            </Button>
          )}
          <Button
            size="small"
            busy={busy}
            busyLabel={t('image.busy')}
            aria-label={t('image.name', { act: chooseWord, kind: kindWord })}
            onClick={() => file.current?.click()}
          >
            {chooseWord}
          </Button>
          <input
            ref={file}
            type="file"
            hidden
            aria-label={word}
            accept="image/svg+xml,image/png,image/jpeg,image/webp"
            onChange={(event) => {
              const [chosen] = event.currentTarget.files ?? [];
              event.currentTarget.value = '';
              if (chosen !== undefined)
                void act(() => storeImage(brand.id, kind, chosen), t('image.stored', { kind: kindWord }));
            }}
          />
        </div>
      </div>
      {refused !== undefined && (
        <p className={styles.wrong} role="alert">
          <Icon name="alert" /> {refused}
        </p>
      )}
      <Grounds
        src={`/v1/brands/${hasOwn ? brand.id : 0}/${kind}?v=${version}`}
        kind={kind}
        colours={colours}
      />
    </section>
  );
}

interface GroundsProps {
  readonly src: string;
  readonly kind: ImageKind;
  readonly colours: readonly string[];
}

function Grounds({ src, kind, colours }: GroundsProps) {
  const roles = brandRoles(colours, 'light');
  const grounds = kind === 'logo' ? (['surface', 'header'] as const) : (['header'] as const);
  return (
    <div className={styles.grounds}>
      {grounds.map((ground) => (
        <div key={ground} style={{ background: roles[ground] }}>
          <img src={src} alt={t(`image.ground.${ground}`, { kind: t(`image.${kind}`) })} />
        </div>
      ))}
    </div>
  );
}
