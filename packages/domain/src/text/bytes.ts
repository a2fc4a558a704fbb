const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/**
 * A number of bytes for people, in steps of 1,024 from B to TB, with at most two decimals: '0 B', '1.5 GB'.
 * What is not finite gives '–'.
 */
export function formatBytes(bytes: number | bigint): string {
  const number = Number(bytes);
  if (!Number.isFinite(number)) return '–';
  let value = Math.abs(number);
  let step = 0;
  // Rounded before it is compared, so that 1,048,575 bytes are '1 MB' and not '1024 KB'.
  while (step < units.length - 1 && Math.round(value * 100) / 100 >= 1024) {
    value /= 1024;
    step += 1;
  }
  const rounded = Math.round(value * 100) / 100;
  return `${number < 0 && rounded > 0 ? '-' : ''}${rounded} ${units[step]}`;
}
