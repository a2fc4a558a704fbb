import { parseColour } from '@counterfoil/domain/text/colour.ts';
import { Icon } from '../../ui/icon.tsx';
import { Box } from '../parts/box.tsx';
import styles from './brands.module.css';
import { useBrandField } from './editor.ts';
import { t } from './messages.ts';

const places = [0, 1, 2, 3, 4, 5, 6] as const;

/** The seven colours that everything is drawn from. */
export const ColoursBox = () => (
  <Box title={t('colours')} aside={t('colours.seven')}>
    <div className={styles.colours}>
      {places.map((place) => (
        <Colour key={place} place={place} />
      ))}
    </div>
  </Box>
);

function Colour({ place }: { readonly place: (typeof places)[number] }) {
  const { value, isChanged, set } = useBrandField(`colours.${place}`);
  const typed = String(value);
  const colour = parseColour(typed.trim());
  const name = t(`colour.${place}`);
  const id = `colour-${place}`;
  return (
    <div className={styles.colour}>
      <input
        type="color"
        className={styles.pick}
        aria-label={t('colour.pick', { name })}
        value={colour ?? '#ffffff'}
        onChange={(event) => set(event.currentTarget.value)}
      />
      <label htmlFor={id}>
        {name} {isChanged && <span className={styles.muted}>{t('changed')}</span>}
      </label>
      <input
        id={id}
        className={styles.hex}
        spellCheck="false"
        autoComplete="off"
        maxLength={20}
        value={typed}
        aria-invalid={colour === null || undefined}
        aria-describedby={colour === null ? `${id}-wrong` : undefined}
        onChange={(event) => set(event.currentTarget.value)}
      />
      {colour === null && (
        <p className={styles.wrong} id={`${id}-wrong`}>
          <Icon name="alert" /> {t('colours.wrong')}
        </p>
      )}
    </div>
  );
}
