/** Cards of Stripe for tests, which everybody knows: what becomes of a payment by each; by any other it succeeds. */
const outcomes: ReadonlyMap<string, Outcome> = new Map([
  ['4000000000000002', 'decline'],
  ['4000000000009995', 'decline'],
  ['4000000000003220', 'require_action'],
  ['4000002500003155', 'require_action'],
]);

/** What a payment comes to. */
export type Outcome = 'succeed' | 'decline' | 'require_action';

export const outcomeOf = (number: string): Outcome => outcomes.get(number) ?? 'succeed';

interface Numbered {
  readonly card_number_type: 'fpan' | 'network_token';
  readonly number: string;
}

/** The shape of it: 12 to 19 digits whose last one is right by ISO/IEC 7812-1. What stands for a number in a network has any. */
export function isCardNumber({ card_number_type: type, number }: Numbered): boolean {
  if (type === 'network_token') return /^[A-Za-z0-9_-]{8,64}$/.test(number);
  if (!/^\d{12,19}$/.test(number)) return false;
  const sum = [...number].reduceRight((all, digit, at) => {
    const doubled = (number.length - at) % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return all + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** A card ends with its month, wherever that ends last. */
export const isOver = ({
  exp_month: month = '12',
  exp_year: year,
}: {
  readonly exp_month?: string | undefined;
  readonly exp_year?: string | undefined;
}): boolean => year !== undefined && Date.UTC(Number(year), Number(month), 1, 12) <= Date.now();
