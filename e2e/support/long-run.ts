/**
 * `npm run prove -- e2e` goes through whole products of screens, widths, fonts and languages. An ordinary run leaves out
 * combinations of which each part is in another one.
 */
export const isLongRun = process.env['PROVE'] === '1';
