import type { Proof, Proofs } from '../row.ts';

const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const page = 'e2e/cost-centres.spec.ts';
const edited = by(page, 'cost centres: filters, the file of what is filtered, and a row edited by keyboard');
const many = by(page, 'cost centres: many are set at once, and undone; the summary adds up to the invoices');
const contains = by(
  'apps/web/src/lib/service-items/filter-items.test.ts',
  'each is a case-insensitive contains filter',
);
const routes = 'apps/api/src/features/cost-centres/routes.test.ts';
const summed = by(
  routes,
  'follows the current allocation, keeps currencies apart, and adds up to the invoices to the cent',
);
const asNull = by(
  'apps/api/src/features/service-items/routes.test.ts',
  'saves description and cost centre; empty and blank ones as null',
);

/** Tests that prove rows of cost-centres: row id to file and title. */
export const proofs: Proofs = {
  'portal.cost-centres.screen.page': [...edited, ...many],
  'portal.cost-centres.text.title': edited,
  'portal.cost-centres.control.service': edited,
  'portal.cost-centres.control.search.service-item': edited,
  'portal.cost-centres.control.search.description': edited,
  'portal.cost-centres.control.search.cost-centre': edited,
  'portal.cost-centres.contains': [...contains, ...edited],
  'portal.cost-centres.screen.grid': edited,
  'portal.cost-centres.control.download': edited,
  'portal.cost-centres.screen.modal': edited,
  'portal.cost-centres.text.modal-title': edited,
  'portal.cost-centres.field.modal.description': edited,
  'portal.cost-centres.field.modal.costCentre': edited,
  'portal.cost-centres.control.discard': edited,
  'portal.cost-centres.control.save': edited,
  'portal.cost-centres.opens-with-row': edited,
  'portal.cost-centres.save-closes': edited,
  'portal.cost-centres.empty-description': [...asNull, ...edited],
  'portal.cost-centres.empty-cost-centre': [...asNull, ...edited],
  'decisions.5.cost-centre-current': summed,
  'decisions.5.cost-centre-history': [
    ...by(routes, 'sets all of them as one change, and undo gives each what it had'),
    ...many,
  ],
  'decisions.5.cost-centre-date': [...summed, ...many],
};
