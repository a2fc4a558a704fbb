import { STRENGTH_WORDS } from '@counterfoil/domain/text/password.ts';
import { useEffect, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { t } from './messages.ts';
import { type Strength, strengthOf } from './strength.ts';
import styles from './strength-meter.module.css';

interface StrengthMeterProps {
  readonly password: string;
  /** What guessers know about the person. */
  readonly words: readonly string[];
}

/** Rates the password while it is typed. Without its estimator (offline, say) it stays empty; nothing waits for it. */
export function StrengthMeter({ password, words }: StrengthMeterProps) {
  const rated = useStrength(password, words);
  return (
    <div className={styles.meter}>
      <VisuallyHidden>
        <meter
          aria-label={t('strength')}
          aria-valuetext={rated?.word ?? '–'}
          min={0}
          max={STRENGTH_WORDS.length}
          value={rated === undefined ? 0 : rated.score + 1}
        />
      </VisuallyHidden>
      <div className={styles.bars} aria-hidden="true">
        {STRENGTH_WORDS.map((word, index) => (
          <span
            key={word}
            className={classNames(
              styles.bar,
              rated && index <= rated.score && (rated.isEnough ? styles.enough : styles.weak),
            )}
          />
        ))}
      </div>
      <span className={styles.word} role="status">
        {rated?.word}
      </span>
    </div>
  );
}

function useStrength(password: string, words: readonly string[]): Strength | undefined {
  const [rated, setRated] = useState<{ readonly of: string; readonly strength: Strength }>();
  const known = words.join('\n');
  useEffect(() => {
    if (password === '') return;
    let isStale = false;
    void import('./estimator.ts').then(
      ({ estimate }) => {
        if (isStale) return;
        setRated({ of: password, strength: strengthOf(password, estimate(password, known.split('\n'))) });
      },
      () => undefined,
    );
    return () => {
      isStale = true;
    };
  }, [password, known]);
  return password === '' ? undefined : rated?.strength;
}
