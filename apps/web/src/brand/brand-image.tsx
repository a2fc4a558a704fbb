import { useEffect, useRef, useState } from 'react';
import { brandImageUrl, type BrandImage as ImageKind, imageFallback } from '../lib/brand/brand-images.ts';

interface BrandImageProps {
  readonly image: ImageKind;
  readonly brandId: number;
  readonly className?: string | undefined;
  /** Box in CSS pixels, so that nothing moves when the image arrives. */
  readonly width: number;
  readonly height: number;
  /** Empty: decoration beside the name. */
  readonly alt?: string;
  readonly onReady?: (image: HTMLImageElement) => void;
}

/** A brand's logo or banner; falls back to the built-in brand's, and to nothing when that fails too. */
export function BrandImage({ image, brandId, className, width, height, alt = '', onReady }: BrandImageProps) {
  const wanted = brandImageUrl(image, brandId);
  const [fallback, setFallback] = useState<{ readonly of: string; readonly url: string | undefined }>();
  const source = fallback?.of === wanted ? fallback.url : wanted;
  const drawn = useRef<HTMLImageElement>(null);
  const onError = () => setFallback({ of: wanted, url: imageFallback(image, source ?? '') });
  // An image of the server's markup may have ended before anybody listened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks once, at what was there before
  useEffect(() => {
    const there = drawn.current;
    if (there?.complete) there.decode().then(() => onReady?.(there), onError);
  }, []);
  if (source === undefined) return null;
  return (
    <img
      ref={drawn}
      className={className}
      src={source}
      alt={alt}
      width={width}
      height={height}
      decoding="async"
      fetchPriority={image === 'banner' ? 'high' : 'auto'}
      onError={onError}
      onLoad={(event) => onReady?.(event.currentTarget)}
    />
  );
}
