import { flag, id, nullable, type Of, shape, text } from '@steward/contract';

/** A tax rate, as lines of documents name it: of `accounting.tax` named `t`. */
export const tax = shape('t', {
  id: id('t.tax_id'),
  name: text(),
  /** Without zeros at its end: `19`, `7.25`. */
  percentage: text('trim_scale(t.percentage)::text'),
  /** Where tax on sales is owed. */
  salesAccountId: id(),
  /** Where tax on purchases is claimed; null where it is not, and is part of what was bought. */
  purchaseAccountId: nullable(id()),
  archived: flag('t.archived_at is not null'),
});
export type Tax = Of<typeof tax>;
