import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type Preparation, type PrepareEntry, Preparing } from './preparing.ts';

interface Prepared extends Pick<Preparing, 'renew'> {
  readonly preparation: Preparation;
  /** Leaves it, used up: the next one is made when it is asked for. */
  readonly drop: () => void;
}

/** The entry of a form that needs one; made when the form comes. */
export function usePrepared(isNeeded: boolean, prepare: PrepareEntry | undefined): Prepared {
  const latest = useRef(prepare);
  useEffect(() => {
    latest.current = prepare;
  });
  const [preparing] = useState(
    () =>
      new Preparing(() => latest.current?.() ?? Promise.reject(new Error('nothing prepares an entry here'))),
  );
  useEffect(() => {
    if (isNeeded) void preparing.renew();
    return preparing.stop;
  }, [isNeeded, preparing]);
  const preparation = useSyncExternalStore(preparing.subscribe, preparing.view, preparing.view);
  return { preparation, renew: preparing.renew, drop: preparing.stop };
}
