import { useEffect, useState } from 'react';
import { type QrPath, qrPath } from './qr-path.ts';
import styles from './security.module.css';

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
}

/**
 * A QR code, dark on light in every theme: not every reader takes it the other way round. A screen is neither torn
 * nor stained, so it carries little for mending and has larger squares.
 */
export function QrCode({ text, label }: QrCodeProps) {
  const [drawing, setDrawing] = useState<QrPath>();
  useEffect(() => {
    let isStale = false;
    // Its maker is loaded here only. Without it (offline, say) the key beside it does as well.
    void import('uqr').then(
      ({ encode }) => {
        if (!isStale) setDrawing(qrPath(encode(text, { ecc: 'L', border: 0 }).data));
      },
      () => undefined,
    );
    return () => {
      isStale = true;
    };
  }, [text]);
  const size = drawing?.size ?? 1;
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="white" />
      {drawing && <path d={drawing.path} fill="black" shapeRendering="crispEdges" />}
    </svg>
  );
}
