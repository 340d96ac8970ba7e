import { type createDocument, decimalIn, type DocumentLanguage, documentWords } from '@steward/accounting';
import { money, parseAmount } from '@steward/kernel';
import type { Order } from '@steward/orders';
import type { ProfileAccounts } from '../profile/profile.ts';
import { accountOf } from './account.ts';

type NewDocument = Parameters<typeof createDocument>[1];
type Line = NewDocument['lines'][number];
type Paid = Pick<Order['lines'][number], 'discounts' | 'net' | 'total' | 'taxId' | 'treatment'>;

/** As much of an order as an invoice has of it. */
export interface Billable extends Pick<Order, 'number' | 'currency' | 'pricesIncludeTax'> {
  readonly lines: readonly (Paid & Pick<Order['lines'][number], 'title' | 'options' | 'quantity' | 'unitPrice'>)[];
  readonly shipping: (Paid & { readonly name: string }) | null;
}

const longest = 1000;

/**
 * The invoice of an order, whose net and tax are the order's by the one rule of rounding. What no discount lowers is a quantity at a unit price; what
 * one lowers is one line over what is paid for it.
 */
export function invoiceOf(
  order: Billable,
  profile: ProfileAccounts,
  {
    partyId,
    date,
    dueDate,
    language,
  }: {
    readonly partyId: string;
    readonly date: string;
    /** Where the buyer was told a last day to pay; otherwise the terms of the party say. */
    readonly dueDate?: string | undefined;
    readonly language: DocumentLanguage;
  },
): NewDocument {
  const words = documentWords[language];
  const sales = accountOf(profile, 'salesAccount');
  const lines = order.lines.map((line): Line => {
    const { title, options, quantity, unitPrice } = line;
    const what = [title, ...Object.values(options)].join(', ');
    if (line.discounts.length === 0)
      return {
        description: what.slice(0, longest),
        quantity: String(quantity),
        unitPrice: unitPrice.amount,
        account: sales,
        ...taxOf(line),
      };
    const counted = quantity === 1 ? what : `${quantity} × ${what}`;
    return { ...lowered(order, counted, line, language), account: sales };
  });
  const { shipping } = order;
  const delivery: Line[] =
    shipping === null
      ? []
      : [
          {
            ...lowered(order, `${words.shipping}: ${shipping.name}`, shipping, language),
            account: accountOf(profile, 'shippingAccount'),
          },
        ];
  const reversed = [...order.lines, ...(shipping === null ? [] : [shipping])].some(
    ({ treatment }) => treatment === 'reverse_charge',
  );
  return {
    kind: 'invoice',
    partyId,
    issueDate: date,
    ...(dueDate === undefined ? {} : { dueDate }),
    currency: order.currency,
    pricing: order.pricesIncludeTax ? 'inclusive' : 'exclusive',
    reference: order.number,
    ...(reversed ? { notes: words.reverseCharge } : {}),
    lines: [...lines, ...delivery],
  };
}

/** What the invoices and credit notes of an order say beside their lines: a buyer has many addresses, and a party the name by which it was known first. */
export function saleOf(
  {
    name,
    email,
    billingAddress,
    shippingAddress,
    vatNumber,
  }: Pick<Order, 'name' | 'email' | 'billingAddress' | 'shippingAddress' | 'vatNumber'>,
  language: DocumentLanguage,
): NonNullable<Parameters<typeof createDocument>[2]> {
  const countries = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
  const address = billingAddress ?? shippingAddress;
  if (address === null) return { archivedTaxes: true, buyer: { name: name ?? email, address: null, vatNumber } };
  const { company, line1, line2, postcode, city, region, country } = address;
  const [first = email, ...others] = [company, address.name ?? name].filter(Boolean);
  const town = [postcode, city].filter(Boolean).join(' ');
  const lines = [...others, line1, line2, town, region, countries.of(country) ?? country].filter(Boolean);
  return {
    archivedTaxes: true,
    buyer: { name: first?.slice(0, 200) ?? null, address: lines.join('\n').slice(0, 1_200), vatNumber },
  };
}

const taxOf = ({ taxId, treatment }: Pick<Paid, 'taxId' | 'treatment'>) =>
  treatment === 'taxed' && taxId !== null ? { taxId } : {};

/** One piece at what is paid for all of it, after its discounts. */
function lowered(
  { currency, pricesIncludeTax }: Billable,
  what: string,
  paid: Paid,
  language: DocumentLanguage,
): Omit<Line, 'account'> {
  const off = paid.discounts.reduce((sum, { amount }) => sum + (parseAmount(amount.amount, currency) ?? 0n), 0n);
  const less =
    off === 0n ? '' : ` (${documentWords[language].lessDiscount(decimalIn(language, money(off, currency).amount))})`;
  return {
    description: `${what.slice(0, longest - less.length)}${less}`,
    quantity: '1',
    unitPrice: (pricesIncludeTax ? paid.total : paid.net).amount,
    ...taxOf(paid),
  };
}
