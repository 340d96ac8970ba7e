import { NeverApplies } from '@steward/callbacks';
import { csvRows, topRows } from '@steward/contract';
import { createPace, dictionary } from '@steward/kernel';
import type { MovementKind } from '../feeds/movement.ts';
import { type Api, type Connection, found, segment } from './provider.ts';
import { decimal, type Members, UnexpectedAnswer } from './read.ts';
import { nothingSaid, type Said, type SaidMovement, type SaidPayout } from './said.ts';

/** Its notification has the name of the report as `pspReference`. */
export const reportTopic = 'REPORT_AVAILABLE';
/** Some thirty thousand rows. */
const mostBytes = 8_388_608;
const mostColumns = 100;

/** What a row is, by its type; any other is an adjustment. With `event`, a notification may have told of it before. */
const types = dictionary<{ readonly kind: MovementKind; readonly event?: string }>({
  Settled: { kind: 'charge', event: 'CAPTURE' },
  Refunded: { kind: 'refund', event: 'REFUND' },
  RefundedReversed: { kind: 'refund_reversal', event: 'REFUNDED_REVERSED' },
  Chargeback: { kind: 'dispute', event: 'CHARGEBACK' },
  SecondChargeback: { kind: 'dispute', event: 'SECOND_CHARGEBACK' },
  ChargebackReversed: { kind: 'dispute_reversal', event: 'CHARGEBACK_REVERSED' },
  Fee: { kind: 'fee' },
  MiscCosts: { kind: 'fee' },
  PaymentCost: { kind: 'fee' },
  InvoiceDeduction: { kind: 'fee' },
  Balancetransfer: { kind: 'transfer' },
  MerchantPayout: { kind: 'payout' },
  BankInstructionReturned: { kind: 'payout_reversal' },
});

/** Where Adyen captures at once, of the payment that has this id. */
export const chargeOf = (psp: string): string => `AUTHORISATION:${psp}`;

const pspOf = (id: string): string | undefined => /^AUTHORISATION:([^:]+)$/.exec(id)?.[1];

/** That money of a payment moved, so that no cancellation takes its charge back. How much is of no account here. */
export const takenOf = (psp: string, { currency, day }: Pick<SaidMovement, 'currency' | 'day'>): SaidMovement => ({
  id: `TAKEN:${psp}`,
  kind: 'charge',
  currency,
  amount: 1n,
  day,
  description: `Adyen captured ${psp}`,
});

interface Reported {
  readonly connection: Connection;
  /** What is signed of the notification. */
  readonly data: Members;
  readonly automatic: boolean;
}

/**
 * What a Settlement details report says: each payment with what was kept of it, other costs, and the payout that the batch ends with. The address
 * is made of what is signed, so that the key goes nowhere else. Other reports say nothing.
 * https://docs.adyen.com/reporting/settlement-reconciliation/transaction-level/settlement-details-report
 */
export async function settled(api: Api, reported: Reported, signal: AbortSignal): Promise<Said> {
  const { connection, data } = reported;
  const name = String(data['pspReference']);
  if (!/^settlement_detail_report[A-Za-z0-9_.-]{0,60}\.csv$/.test(name)) return nothingSaid;
  const key = connection.secrets['reportKey'] ?? '';
  if (key === '')
    throw new NeverApplies('the connection to adyen has no secret reportKey: give it, and retry this delivery');
  const merchant = segment(data['merchantAccountCode'], /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$/);
  const { body } = await found(
    api.of(connection).call('GET', `/reports/download/MerchantAccount/${merchant}/${name}`, {
      headers: { 'x-api-key': key },
      text: { type: 'text/csv', most: mostBytes },
      signal,
    }),
  );
  return read(String(body).replace(/^\uFEFF/, ''), { ...reported, merchant, name });
}

async function read(
  csv: string,
  { automatic, merchant, name }: Reported & { readonly merchant: string; readonly name: string },
): Promise<Said> {
  const cellOf = columnsOf(csv);
  const rows = (await csvRows(csv, ',')).slice(1).map(({ cells }) => cellOf(cells));
  const pace = createPace();
  const movements: SaidMovement[] = [];
  const paid = new Map<string, SaidPayout>();
  /** Rows of one id, such as two captures of a payment that is said to be captured at once. */
  const seen = new Map<string, number>();
  for (const row of rows) {
    if (pace.due()) await pace.rest();
    if (row('Merchant Account') !== merchant) continue;
    const batch = row('Batch Number') || (/_batch_(\d+)/.exec(name)?.[1] ?? '');
    if (!/^\d{1,18}$/.test(batch)) throw new NeverApplies('the report does not say of which batch its rows are');
    const [type, reference, currency] = [row('Type'), row('Modification Reference'), row('Net Currency')];
    const { kind, event } = types[type] ?? { kind: 'adjustment' };
    const told =
      event === undefined
        ? `${type}:${batch}:${reference}`.slice(0, 180)
        : automatic && event === 'CAPTURE'
          ? chargeOf(row('Psp Reference'))
          : `${event}:${reference}`;
    const before = seen.get(told) ?? 0;
    seen.set(told, before + 1);
    const id = before === 0 ? told : `${told}:${before}`;
    const payoutId = `${batch}:${currency}`;
    const common = {
      day: dayIn(row('Creation Date')),
      dayAsFirstSaid: true,
      reference: event === undefined ? null : row('Merchant Reference') || null,
    };
    const words = `Adyen ${kind.replaceAll('_', ' ')} ${event === undefined ? `${reference} of batch ${batch}` : (id.split(':')[1] ?? '')}`;
    const net = difference(row, 'Net', currency);
    if (kind === 'payout') {
      movements.push({ ...common, id, kind, currency, amount: net, description: words });
      const amount = (paid.get(payoutId)?.amount ?? 0n) - net;
      const { day } = common;
      paid.set(payoutId, { id: payoutId, currency, amount, day, status: 'paid', itemized: true, complete: true });
      continue;
    }
    const ofCurrency = row('Gross Currency');
    const said = { ...common, id, kind, description: words };
    if (event === undefined) {
      movements.push({ ...said, currency, amount: net, payoutId });
      continue;
    }
    const gross = difference(row, 'Gross', ofCurrency);
    const whole = ofCurrency === currency ? gross : net + costsOf(row, currency);
    movements.push({ ...said, currency, amount: whole, payoutId });
    movements.push({
      ...common,
      id: `${id}:fee`,
      kind: 'fee',
      currency,
      amount: net - whole,
      description: `Adyen fee ${id.split(':')[1] ?? ''}`,
      reference: null,
      payoutId,
    });
    // It came in there, and is paid out here.
    if (ofCurrency !== currency) {
      movements.push({ ...said, currency: ofCurrency, amount: gross });
      movements.push({
        ...common,
        id: `${id}:converted`,
        kind: 'transfer',
        currency: ofCurrency,
        amount: -gross,
        description: `${words}, converted into ${currency}`,
        reference: null,
      });
    }
  }
  // Of a batch without a payout nothing is paid out.
  const said = movements.map((one) =>
    one.payoutId == null || paid.has(one.payoutId) ? one : { ...one, payoutId: null },
  );
  return {
    movements: said,
    // What has a payout stays by that.
    noted: said.flatMap((one): readonly SaidMovement[] => {
      const psp = one.payoutId == null ? pspOf(one.id) : undefined;
      return psp === undefined ? [] : [takenOf(psp, one)];
    }),
    payouts: [...paid.values()],
  };
}

type Row = (column: string) => string;

const needed = [
  'Merchant Account',
  'Psp Reference',
  'Merchant Reference',
  'Creation Date',
  'Type',
  'Modification Reference',
  ...['Currency', 'Debit (GC)', 'Credit (GC)'].map((one) => `Gross ${one}`),
  ...['Currency', 'Debit (NC)', 'Credit (NC)'].map((one) => `Net ${one}`),
];
const costs = ['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)'];

/** Columns are told by their names: which there are, and their order, is the merchant's to choose. @throws NeverApplies where one is missing */
function columnsOf(csv: string): (cells: readonly string[]) => Row {
  const end = csv.indexOf('\n');
  const line = end === -1 ? csv : csv.slice(0, end);
  const [heading] = line.length > 10_000 || line.split(',').length > mostColumns ? [] : topRows(line, ',', 1);
  const places = new Map(heading?.cells.map((name, at) => [name.trim(), at]));
  const missing = needed.find((name) => !places.has(name));
  if (missing !== undefined) throw new NeverApplies(`the report has no column ${missing}`);
  return (cells) => (column) => cells[places.get(column) ?? -1]?.trim() ?? '';
}

const part = (row: Row, column: string, currency: string): bigint => {
  const written = row(column);
  return written === '' ? 0n : decimal(written, currency, column);
};

function difference(row: Row, of: 'Gross' | 'Net', currency: string): bigint {
  const unit = of === 'Gross' ? '(GC)' : '(NC)';
  return part(row, `${of} Credit ${unit}`, currency) - part(row, `${of} Debit ${unit}`, currency);
}

const costsOf = (row: Row, currency: string): bigint =>
  costs.reduce((sum, column) => sum + part(row, column, currency), 0n);

function dayIn(written: string): string {
  const day = /^(\d{4}-\d{2}-\d{2}) /.exec(`${written} `)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(day))) throw new UnexpectedAnswer('a row of the report has no day');
  return day;
}
