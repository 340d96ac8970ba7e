import { dictionary } from '@steward/kernel';

export const accountTypes = ['asset', 'liability', 'equity', 'income', 'expense'] as const;
export type AccountType = (typeof accountTypes)[number];

export interface TemplateAccount {
  readonly code: string;
  readonly name: string;
  readonly type: AccountType;
  readonly control?: string;
  readonly activity: Activity;
}

/** How an account counts in the cash flow statement; `cash` is money itself. */
export const activities = ['cash', 'operating', 'investing', 'financing'] as const;
export type Activity = (typeof activities)[number];

type Entry = readonly [code: string, name: string, type: AccountType, control?: string];

/** What every business needs, whatever it does; tax accounts are named by the currency's custom. */
const common: readonly Entry[] = [
  ['1000', 'Bank account', 'asset', 'bank'],
  ['1050', 'Petty cash', 'asset'],
  ['1100', 'Accounts receivable', 'asset', 'receivable'],
  ['1190', 'Undeposited funds', 'asset', 'undeposited'],
  ['1300', 'Prepaid expenses', 'asset'],
  ['1500', 'Equipment', 'asset'],
  ['1590', 'Accumulated depreciation', 'asset'],
  ['2000', 'Accounts payable', 'liability', 'payable'],
  ['2300', 'Accrued expenses', 'liability'],
  ['2500', 'Loans', 'liability'],
  ['4900', 'Other income', 'income'],
  ['4950', 'Foreign exchange gains and losses', 'income', 'exchange_difference'],
  ['6000', 'Wages and salaries', 'expense'],
  ['6100', 'Rent', 'expense'],
  ['6200', 'Utilities', 'expense'],
  ['6300', 'Office supplies', 'expense'],
  ['6400', 'Software and subscriptions', 'expense'],
  ['6500', 'Insurance', 'expense'],
  ['6600', 'Professional fees', 'expense'],
  ['6700', 'Advertising', 'expense'],
  ['6800', 'Travel', 'expense'],
  ['6900', 'Bank charges', 'expense'],
  ['6950', 'Depreciation', 'expense'],
];

const capital: readonly Entry[] = [
  ['3000', "Owner's equity", 'equity', 'owner_equity'],
  ['3100', "Owner's drawings", 'equity'],
  ['3900', 'Retained earnings', 'equity', 'retained_earnings'],
];

const byTemplate = {
  general: [
    ...capital,
    ['4000', 'Sales', 'income', 'sales'],
    ['4010', 'Service income', 'income'],
    ['4090', 'Discounts given', 'income'],
    ['5000', 'Cost of goods sold', 'expense', 'cost_of_sales'],
  ],
  retail: [
    ...capital,
    ['1200', 'Inventory', 'asset', 'inventory'],
    ['1250', 'Card and wallet clearing', 'asset', 'clearing'],
    ['2100', 'Customer deposits', 'liability'],
    ['2150', 'Gift cards outstanding', 'liability'],
    ['4000', 'Sales', 'income', 'sales'],
    ['4050', 'Shipping income', 'income'],
    ['4080', 'Sales returns', 'income'],
    ['4090', 'Discounts given', 'income'],
    ['5000', 'Cost of goods sold', 'expense', 'cost_of_sales'],
    ['5100', 'Inbound freight', 'expense'],
    ['5200', 'Inventory shrinkage', 'expense', 'shrinkage'],
    ['6850', 'Payment processing fees', 'expense'],
    ['6860', 'Shipping and fulfilment', 'expense'],
  ],
  services: [
    ...capital,
    ['1150', 'Unbilled receivables', 'asset'],
    ['2100', 'Customer retainers', 'liability'],
    ['2150', 'Deferred income', 'liability'],
    ['4000', 'Service income', 'income', 'sales'],
    ['4050', 'Reimbursed expenses', 'income'],
    ['5000', 'Subcontractors', 'expense', 'cost_of_sales'],
    ['5100', 'Direct project costs', 'expense'],
  ],
  nonprofit: [
    ['3000', 'Net assets without donor restrictions', 'equity', 'owner_equity'],
    ['3200', 'Net assets with donor restrictions', 'equity'],
    ['3900', 'Accumulated surplus', 'equity', 'retained_earnings'],
    ['1150', 'Pledges receivable', 'asset'],
    ['2150', 'Deferred grants', 'liability'],
    ['4000', 'Programme service fees', 'income', 'sales'],
    ['4100', 'Donations', 'income'],
    ['4200', 'Grants', 'income'],
    ['4300', 'Membership dues', 'income'],
    ['5000', 'Programme expenses', 'expense', 'cost_of_sales'],
    ['6750', 'Fundraising', 'expense'],
  ],
} as const satisfies Record<string, readonly Entry[]>;

export type TemplateName = keyof typeof byTemplate;

/** The template of a persona; a persona of one's own gets `general` (contracts §5). */
export const templateOf = (persona: string): TemplateName =>
  Object.hasOwn(byTemplate, persona) ? (persona as TemplateName) : 'general';

/** Chart of accounts for a persona and a base currency, by code. */
export function chartOf(template: TemplateName, currency: string): TemplateAccount[] {
  const tax = taxWords(currency);
  const taxes: Entry[] = [
    ['2200', `${tax} payable`, 'liability', 'tax_payable'],
    // A sales tax is not recovered on purchases; a value-added tax is.
    ...(tax === 'Sales tax' ? [] : ([['1350', `${tax} recoverable`, 'asset', 'tax_recoverable']] satisfies Entry[])),
  ];
  return [...common, ...byTemplate[template], ...taxes]
    .map(([code, name, type, control]) => ({
      code,
      name,
      type,
      activity: activityOf(code, type),
      ...(control === undefined ? {} : { control }),
    }))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1));
}

const byCode = dictionary<Activity>({
  '1000': 'cash',
  '1050': 'cash',
  '1190': 'cash',
  '1500': 'investing',
  '1590': 'investing',
  '2500': 'financing',
});

const activityOf = (code: string, type: AccountType): Activity =>
  byCode[code] ?? (type === 'equity' ? 'financing' : 'operating');

function taxWords(currency: string): string {
  if (currency === 'USD') return 'Sales tax';
  if (['AUD', 'NZD', 'CAD', 'INR', 'SGD'].includes(currency)) return 'GST';
  if (currency === 'JPY') return 'Consumption tax';
  return 'VAT';
}
