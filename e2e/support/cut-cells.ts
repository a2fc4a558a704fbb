import type { Page } from '@playwright/test';

/**
 * What of the grids on the page a person cannot read, cell by cell: essential text that is cut, covered, outside the
 * window or left out. A text that may be shortened has a title that gives it whole.
 * @param columns ids of those that may be shortened, and of those that say nothing on a card
 */
export async function cutCells(
  page: Page,
  {
    shortened = [],
    tableOnly = [],
  }: { readonly shortened?: readonly string[]; readonly tableOnly?: readonly string[] },
): Promise<readonly string[]> {
  return page.evaluate(
    async ([mayShorten, mayMiss]) => {
      // Observers report before a frame is drawn; what they change is there in the next one.
      for (let frame = 0; frame < 2; frame += 1)
        await new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)));
      const faults: string[] = [];
      const isClipping = (element: Element) =>
        ['overflowX', 'overflowY'].some(
          (name) => getComputedStyle(element)[name as 'overflowX'] !== 'visible',
        );
      /** Lines of text that are drawn, without what only screen readers hear. */
      const linesOf = (element: Element): DOMRect[] => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const lines: DOMRect[] = [];
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const parent = node.parentElement as Element;
          if (node.textContent?.trim() === '' || parent.closest('[class*="hidden"]')) continue;
          const box = parent.getBoundingClientRect();
          if (box.width <= 1 && box.height <= 1) continue;
          const range = document.createRange();
          range.selectNodeContents(node);
          lines.push(...range.getClientRects());
        }
        return lines.filter(({ width }) => width > 0);
      };
      const outside = (line: DOMRect, box: DOMRect) => line.left < box.left - 1 || line.right > box.right + 1;
      const isCut = (element: Element, line: DOMRect): boolean => {
        if (line.left < -1 || line.right > document.documentElement.clientWidth + 1) return true;
        for (let at: Element | null = element; at && at !== document.body; at = at.parentElement)
          if (isClipping(at) && outside(line, at.getBoundingClientRect())) return true;
        return false;
      };
      const isBeside = (one: DOMRect, other: DOMRect) =>
        one.right <= other.left + 1 ||
        other.right <= one.left + 1 ||
        one.bottom <= other.top + 3 ||
        other.bottom <= one.top + 3;

      for (const grid of document.querySelectorAll('[data-grid]')) {
        const isCards = grid.hasAttribute('data-cards');
        const heads = [...grid.querySelectorAll('thead th')];
        const name = (what: string) => `${grid.querySelector('table')?.ariaLabel}: ${what}`;
        if (!isCards) {
          for (const head of heads)
            if (
              linesOf(head).some((line) => isCut(head, line) || outside(line, head.getBoundingClientRect()))
            )
              faults.push(name(`head ${head.textContent}`));
        }
        for (const row of [...grid.querySelectorAll('tbody tr')].slice(0, 40)) {
          const drawn: { readonly cell: number; readonly line: DOMRect }[] = [];
          const said = (row as HTMLElement).innerText;
          for (const [at, cell] of [...row.querySelectorAll('td')].entries()) {
            const id = heads[at]?.getAttribute('data-column');
            if (id === null || id === undefined) continue;
            const fault = (what: string) => faults.push(name(`${id} ${what} '${cell.textContent}'`));
            if (getComputedStyle(cell).display === 'none') {
              const text = cell.textContent?.replace(heads[at]?.textContent ?? '', '').trim() ?? '';
              const isNothing = ['', '-', '–'].includes(text) || /^\D*0[.,]00\D*$/.test(text);
              if (isCards && !isNothing && !mayMiss.includes(id) && !said.includes(text)) fault('gone');
              continue;
            }
            const lines = linesOf(cell);
            const isShort = mayShorten.includes(id) || (cell.title.length > 26 && cell.title !== '');
            if (isShort && !isCards) {
              if (cell.clientWidth < 60) fault(`${cell.clientWidth} px wide`);
              if (cell.scrollWidth > cell.clientWidth && cell.title === '') fault('without a title');
              continue;
            }
            const box = cell.getBoundingClientRect();
            if (lines.some((line) => isCut(cell, line) || outside(line, box))) fault('cut');
            drawn.push(...lines.map((line) => ({ cell: at, line })));
          }
          for (const one of drawn)
            for (const other of drawn)
              if (one.cell < other.cell && !isBeside(one.line, other.line))
                faults.push(name(`${heads[one.cell]?.textContent} over ${heads[other.cell]?.textContent}`));
        }
      }
      return [...new Set(faults)];
    },
    [[...shortened], [...shortened, ...tableOnly]] as const,
  );
}
