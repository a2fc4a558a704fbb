import { useEffect, useState } from 'react';

/**
 * Whether something has been so for a while: what is over sooner shows nothing, and costs nothing to show.
 * @param ms milliseconds until it counts
 */
export function useLasting(is: boolean, ms: number): boolean {
  const [hasLasted, setLasted] = useState(false);
  useEffect(() => {
    if (!is) return undefined;
    const timer = setTimeout(() => setLasted(true), ms);
    return () => {
      clearTimeout(timer);
      setLasted(false);
    };
  }, [is, ms]);
  return is && hasLasted;
}
