/**
 * Dresses the page in another brand: the style sheet of its roles, which the server computes (one place for the
 * contrast rules), is linked after all others. Resolves when it holds; a sheet that cannot be loaded leaves the
 * page as it was, readable.
 */
export function applyBrand(brandId: number): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = `/brand.css?b=${brandId}`;
  return new Promise((resolve) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => resolve());
    document.head.append(link);
  });
}
