import { type ReactNode, useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { BrandImage } from './brand-image.tsx';
import styles from './lockup.module.css';

interface LockupProps {
  readonly brandId: number;
  readonly name: string;
  readonly nameClass?: string | undefined;
  /** Line under the name: the customer, in the header of a phone. */
  readonly below?: ReactNode;
}

/** Few logos need a plate: what decides it comes after the page, and without it there is none. */
const platedLater = (image: HTMLImageElement): Promise<boolean> =>
  import('./logo-plate.ts').then(
    ({ needsPlate }) => needsPlate(image),
    () => false,
  );

/** Logo in a fixed box and the name beside it; an unreadable logo gets a plate in the page's colour. */
export function Lockup({ brandId, name, nameClass, below }: LockupProps) {
  const [plate, setPlate] = useState(false);
  return (
    <span className={styles.lockup}>
      <BrandImage
        image="logo"
        brandId={brandId}
        width={32}
        height={32}
        className={classNames(styles.logo, plate && styles.plate)}
        onReady={(image) => void platedLater(image).then(setPlate)}
      />
      <span className={styles.text}>
        <span className={classNames(styles.name, nameClass)}>{name}</span>
        {below}
      </span>
    </span>
  );
}
