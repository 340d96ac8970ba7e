import { count, id, shape, text } from '@steward/contract';

/** Of `portal.tenant` named `t`. */
export const organization = shape('t', {
  id: id('t.tenant_id'),
  name: text(),
  defaultCurrency: text(),
  fiscalYearStartMonth: count(),
  persona: text(),
  /** Counts up with each change; send it back as `version` to change only what you saw. */
  version: count(),
});
