/** Between a popover and its button. */
const GAP = 4;
/** Between a popover and the edges of the window. */
const MARGIN = 8;

/**
 * Puts an open popover below the button before it, or above where there is more room, and within the window; one that
 * is too high scrolls. The browser itself closes it on Escape and on a press elsewhere.
 * @param edge which edge of the button it keeps to
 */
export function placePopover(menu: HTMLElement, edge: 'left' | 'right'): void {
  const at = menu.previousElementSibling?.getBoundingClientRect();
  if (!at) return;
  const { style } = menu;
  style.maxHeight = '';
  style.left = '0';
  const below = innerHeight - at.bottom - GAP - MARGIN;
  const above = at.top - GAP - MARGIN;
  const isAbove = menu.offsetHeight > below && above > below;
  const room = isAbove ? above : below;
  if (menu.offsetHeight > room) style.maxHeight = `${room}px`;
  const { offsetWidth: width, offsetHeight: height } = menu;
  const left = edge === 'left' ? at.left : at.right - width;
  // From the page's edges, so that it stays with its button when the page scrolls.
  style.left = `${scrollX + Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
  style.top = `${scrollY + (isAbove ? at.top - GAP - height : at.bottom + GAP)}px`;
  // A window that is turned or made narrower takes it along.
  const again = () => menu.matches(':popover-open') && placePopover(menu, edge);
  globalThis.addEventListener('resize', again, { once: true });
}
