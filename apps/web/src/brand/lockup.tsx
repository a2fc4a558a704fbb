import { type ReactNode, useEffect, useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { BrandImage } from './brand-image.tsx';
import styles from './lockup.module.css';
import type { Plate } from './logo-plate.ts';

interface LockupProps {
  readonly brandId: number;
  readonly name: string;
  readonly nameClass?: string | undefined;
  /** Line under the name: the customer, in the header of a phone. */
  readonly below?: ReactNode;
}

/** Few logos need a plate: what decides it comes after the page, and without it there is none. */
const plateLater = (image: HTMLImageElement): Promise<Plate> =>
  import('./logo-plate.ts').then(
    ({ plateOf }) => plateOf(image),
    () => 'none',
  );

/** The plate of a logo, again when the page turns light or dark. */
function usePlate() {
  const [plate, setPlate] = useState<Plate>('none');
  const [image, setImage] = useState<HTMLImageElement>();
  useEffect(() => {
    if (image === undefined) return;
    const look = () => void plateLater(image).then(setPlate);
    const dark = globalThis.matchMedia('(prefers-color-scheme: dark)');
    look();
    dark.addEventListener('change', look);
    return () => dark.removeEventListener('change', look);
  }, [image]);
  return { plate, onReady: setImage };
}

/** Logo in a fixed box and the name beside it; an unreadable logo gets a plate that its own colours stand out from. */
export function Lockup({ brandId, name, nameClass, below }: LockupProps) {
  const { plate, onReady } = usePlate();
  return (
    <span className={styles.lockup}>
      <BrandImage
        image="logo"
        brandId={brandId}
        width={32}
        height={32}
        className={classNames(styles.logo, plate !== 'none' && styles.plate, styles[plate])}
        onReady={onReady}
      />
      <span className={styles.text}>
        <span className={classNames(styles.name, nameClass)} dir="auto">
          {name}
        </span>
        {below}
      </span>
    </span>
  );
}
