/** The fixed words of the kit that draws letters. English for now; another language is another value of this shape. */
export const labels = {
  notice: 'Please note',
  noticesFollow: (count: number) => `There are ${count} remarks on these figures. They follow the sums.`,
  logo: (brand: string) => `Logo of ${brand}`,
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  continued: 'continued',
  carried: (page: number) => `Carried forward to page ${page}`,
  brought: (page: number) => `Brought forward from page ${page}`,
  records: ['Start', 'Called number', 'Quantity', 'Price'],
  slip: 'Payment slip',
  detach: 'Paying by post? Detach here and send this part along.',
  scan: 'Scan to pay',
  qr: (label: string) => `QR code: ${label}`,
} as const;
