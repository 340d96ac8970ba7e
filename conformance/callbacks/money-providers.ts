import { BraintreeGateway, Environment } from 'braintree';
import type { Asked, Said } from '@steward/testing/stub-api';
import { stripeAccount } from './stripe.ts';

/** What moves money at a provider of payments. */
export const movements = ['charge', 'fee', 'refund', 'dispute', 'payout'] as const;
export type Moved = (typeof movements)[number];

/** How money moves at a provider, what its API says of it, and what the books must say then. */
export interface MoneyProvider {
  readonly account?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** Beside the signing one. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Its API. */
  answer(asked: Asked): Said;
  /** A charge of so many cents, of its account. */
  charge(cents: number): string;
  /** What is genuinely signed and of another account, and why nothing is booked of it. */
  readonly foreign: { event(): string; readonly why: RegExp };
  /** The same that names no account, of a provider whose events name theirs. */
  readonly unnamed?: () => string;
  /** What it sends, one after the other. */
  readonly events: readonly (() => readonly string[])[];
  /** Lines of its clearing account in the end, by the kind of movement. */
  readonly lines: Readonly<Record<string, readonly string[]>>;
  /** Lines of what was voided or declined. */
  readonly takenBack?: number;
  /** Of what it cannot tell, why. */
  readonly without: Partial<Readonly<Record<Moved, string>>>;
  /** Payouts: amount, sum of their lines, and what is missing. */
  readonly payouts: readonly (readonly [amount: string, sum: string, difference: string])[];
}

const day = 86_400_000;
/** Two days ago, since a gateway is asked about what is not of today. */
const then = new Date(Date.now() - 2 * day).toISOString();
const today = then.slice(0, 10);
const dollars = (cents: number): string => (cents / 100).toFixed(2);
const ofAnother = /of another account than the connection/;
const missing: Said = { status: 404, body: { name: 'RESOURCE_NOT_FOUND' } };

let accounts = 0;

function stripe(): MoneyProvider {
  // One account leads to one organization.
  const own = (accounts += 1);
  const at = stripeAccount(`acct_money${own}`, `rk_live_money${own}`);
  return {
    account: at.account,
    secrets: { apiKey: at.key },
    answer: at.answer,
    charge: (cents) => at.charge(`ch_of${cents}`, cents, 0),
    foreign: {
      event: () => JSON.stringify({ ...(JSON.parse(at.charge('ch_9', 900, 0)) as object), account: 'acct_other' }),
      why: ofAnother,
    },
    events: [
      () => [at.charge('ch_1', 10_000, 320), at.charge('ch_2', 2_500, 103)],
      () => [at.refund('re_1', 'ch_1', 1_000), at.dispute('dp_1', 'ch_2', 2_500, 1_500)],
      () => at.payout('po_1'),
    ],
    lines: {
      charge: ['100.00', '25.00'],
      fee: ['-1.03', '-15.00', '-3.20'],
      refund: ['-10.00'],
      dispute: ['-25.00'],
      payout: ['-70.77'],
    },
    without: {},
    payouts: [['70.77', '70.77', '0.00']],
  };
}

function paypal(): MoneyProvider {
  const money = (value: string) => ({ value, currency_code: 'USD' });
  const moved = (type: string, reason: string, value: string) => ({
    affected_party: 'SELLER',
    type,
    reason,
    amount: money(value),
    initiated_time: then,
  });
  const dispute = {
    dispute_id: 'PP-D-1',
    create_time: then,
    update_time: then,
    status: 'OPEN',
    disputed_transactions: [{ seller_transaction_id: 'CAP1', invoice_number: 'INV-1' }],
    money_movements: [moved('DEBIT', 'DISPUTE_SETTLEMENT', '20.00'), moved('DEBIT', 'CHARGEBACK_FEE', '15.00')],
  };
  const disputes = new Map<string, object>([['PP-D-1', { ...dispute, money_movements: [] }]]);
  const resources: Record<string, object> = {
    '/v2/payments/captures/CAP1': {
      id: 'CAP1',
      status: 'COMPLETED',
      amount: money('100.00'),
      create_time: then,
      seller_receivable_breakdown: { gross_amount: money('100.00'), paypal_fee: money('3.98') },
    },
    '/v2/payments/refunds/REF1': {
      id: 'REF1',
      status: 'COMPLETED',
      amount: money('5.00'),
      create_time: then,
      seller_payable_breakdown: { gross_amount: money('5.00'), paypal_fee: money('0.10') },
    },
    // The money of the dispute, told otherwise.
    '/v2/payments/refunds/REV1': {
      id: 'REV1',
      status: 'COMPLETED',
      amount: money('20.00'),
      create_time: new Date().toISOString(),
      seller_payable_breakdown: { gross_amount: money('20.00') },
      links: [{ rel: 'up', href: 'https://api.paypal.com/v2/payments/captures/CAP1' }],
    },
  };
  const capture = (id: string, value: string, payee: string): string => {
    const body = { id, status: 'COMPLETED', amount: money(value), create_time: then, payee: { merchant_id: payee } };
    resources[`/v2/payments/captures/${id}`] = body;
    return event('PAYMENT.CAPTURE.COMPLETED', { id }, 'capture');
  };
  let told = 0;
  const event = (event_type: string, resource: object, resource_type = 'dispute'): string =>
    JSON.stringify({ id: `WH-${(told += 1)}`, event_type, create_time: then, resource_type, resource });
  return {
    account: 'M1',
    charge: (cents) => capture(`CAPOF${cents}`, dollars(cents), 'M1'),
    // An app of a platform may read it.
    foreign: { event: () => capture('CAP9', '9.00', 'M2'), why: ofAnother },
    secrets: { clientId: 'id', clientSecret: 'secret' },
    answer: ({ path }) => {
      if (path === '/v1/oauth2/token') return { body: { access_token: 'A21', expires_in: 32_400 } };
      const body = resources[path] ?? disputes.get(path.replace('/v1/customer/disputes/', ''));
      return body === undefined ? missing : { body };
    },
    events: [
      () => [event('PAYMENT.CAPTURE.COMPLETED', { id: 'CAP1' }, 'capture')],
      () => [event('PAYMENT.CAPTURE.REFUNDED', { id: 'REF1' }, 'refund')],
      // The money is only held.
      () => [event('CUSTOMER.DISPUTE.CREATED', { dispute_id: 'PP-D-1' })],
      () => {
        disputes.set('PP-D-1', dispute);
        return [
          event('CUSTOMER.DISPUTE.UPDATED', { dispute_id: 'PP-D-1' }),
          event('PAYMENT.CAPTURE.REVERSED', { id: 'REV1' }, 'refund'),
        ];
      },
      () => {
        const money_movements = [...dispute.money_movements, moved('CREDIT', 'DISPUTE_SETTLEMENT', '20.00')];
        disputes.set('PP-D-1', { ...dispute, status: 'RESOLVED', money_movements });
        return [event('CUSTOMER.DISPUTE.RESOLVED', { dispute_id: 'PP-D-1' })];
      },
    ],
    lines: {
      charge: ['100.00'],
      fee: ['-15.00', '-3.98', '0.10'],
      refund: ['-5.00'],
      dispute: ['-20.00'],
      dispute_reversal: ['20.00'],
    },
    without: { payout: 'PayPal tells of no transfer to a bank' },
    payouts: [],
  };
}

function square(): MoneyProvider {
  const money = (amount: number) => ({ amount, currency: 'USD' });
  const disputeOf = (state: string) => ({
    id: 'DP1',
    state,
    amount_money: money(2_500),
    created_at: then,
    updated_at: then,
  });
  let state = 'INQUIRY_EVIDENCE_REQUIRED';
  const entry = (id: string, gross: number, fee: number, more: object = {}) => ({
    id,
    effective_at: then,
    gross_amount_money: money(gross),
    fee_amount_money: money(fee),
    ...more,
  });
  const things: Record<string, () => object> = {
    '/v2/payments/PAY1': () => ({
      payment: {
        id: 'PAY1',
        status: 'COMPLETED',
        created_at: then,
        total_money: money(10_000),
        processing_fee: [{ amount_money: money(320) }],
      },
    }),
    '/v2/refunds/REF1': () => ({
      refund: { id: 'REF1', status: 'COMPLETED', created_at: then, amount_money: money(1_000) },
    }),
    '/v2/disputes/DP1': () => ({ dispute: disputeOf(state) }),
    '/v2/payouts/PO1': () => ({
      payout: { id: 'PO1', status: 'PAID', amount_money: money(6_180), created_at: then, arrival_date: today },
    }),
    '/v2/payouts/PO1/payout-entries': () => ({
      payout_entries: [
        entry('E1', 10_000, 320, { type: 'CHARGE', type_charge_details: { payment_id: 'PAY1' } }),
        entry('E2', -1_000, 0, { type: 'REFUND', type_refund_details: { refund_id: 'REF1' } }),
        entry('E3', -2_500, 0, { type: 'DISPUTE', type_dispute_details: { dispute_id: 'DP1', payment_id: 'PAY1' } }),
      ],
    }),
  };
  let told = 0;
  const event = (type: string, id: string, merchant_id = 'M1'): string =>
    JSON.stringify({ merchant_id, type, event_id: `e${(told += 1)}`, created_at: then, data: { id } });
  return {
    account: 'M1',
    charge: (cents) => {
      const id = `PAYOF${cents}`;
      const payment = { id, status: 'COMPLETED', created_at: then, total_money: money(cents) };
      things[`/v2/payments/${id}`] = () => ({ payment });
      return event('payment.updated', id);
    },
    foreign: { event: () => event('payment.updated', 'PAY1', 'M2'), why: ofAnother },
    unnamed: () => event('payment.updated', 'PAY1', ''),
    secrets: { accessToken: 'token' },
    answer: ({ path }) => {
      const body = things[path]?.();
      return body === undefined ? missing : { body };
    },
    events: [
      () => [event('payment.updated', 'PAY1')],
      () => [event('refund.updated', 'REF1')],
      () => [event('dispute.created', 'DP1')],
      () => {
        state = 'EVIDENCE_REQUIRED';
        return [event('dispute.state.updated', 'DP1')];
      },
      () => [event('payout.paid', 'PO1')],
    ],
    lines: {
      charge: ['100.00'],
      fee: ['-3.20'],
      refund: ['-10.00'],
      dispute: ['-25.00'],
      payout: ['-61.80'],
    },
    without: {},
    payouts: [['61.80', '61.80', '0.00']],
  };
}

function authorizenet(): MoneyProvider {
  const transaction = (transId: string, transactionStatus: string, settleAmount: number, more: object = {}) => ({
    transId,
    transactionStatus,
    settleAmount,
    submitTimeUTC: then,
    ...more,
  });
  const batch = { batchId: '77', settlementState: 'settledSuccessfully', settlementTimeUTC: then };
  const known = new Map([
    ['600', transaction('600', 'capturedPendingSettlement', 100)],
    ['601', transaction('601', 'refundPendingSettlement', 10)],
    ['602', transaction('602', 'capturedPendingSettlement', 33)],
  ]);
  let told = 0;
  const event = (what: string, id: string): string =>
    JSON.stringify({
      notificationId: `n-${(told += 1)}`,
      eventType: `net.authorize.payment.${what}.created`,
      payload: { id },
    });
  return {
    charge: (cents) => {
      const id = `9${Math.abs(cents)}`;
      known.set(id, transaction(id, 'capturedPendingSettlement', cents / 100));
      return event('authcapture', id);
    },
    // Its events name no account: what is of another, its API does not know.
    foreign: { event: () => event('authcapture', '999'), why: /no such transaction in this account/ },
    secrets: { apiLoginId: 'login', transactionKey: 'key' },
    answer: ({ body }) => {
      const [[request, { transId, batchId }] = ['', {}]] = Object.entries(
        JSON.parse(body) as Record<string, { readonly transId?: string; readonly batchId?: string }>,
      );
      const ok = { messages: { resultCode: 'Ok', message: [{ code: 'I00001' }] } };
      if (request === 'getTransactionListRequest' && batchId === '77')
        return {
          body: {
            ...ok,
            transactions: [
              transaction('600', 'settledSuccessfully', 100),
              transaction('601', 'refundSettledSuccessfully', 10),
              transaction('590', 'chargeback', 20),
              transaction('603', 'declined', 40),
            ],
          },
        };
      const one = known.get(transId ?? '');
      return one === undefined
        ? { body: { messages: { resultCode: 'Error', message: [{ code: 'E00040' }] } } }
        : { body: `\uFEFF${JSON.stringify({ ...ok, transaction: one })}` };
    },
    events: [
      () => [event('authcapture', '600'), event('authcapture', '602')],
      () => [event('refund', '601')],
      () => {
        known.set('600', transaction('600', 'settledSuccessfully', 100, { batch }));
        known.set('602', transaction('602', 'voided', 33));
        return [event('void', '602')];
      },
    ],
    lines: { charge: ['100.00'], refund: ['-10.00'], dispute: ['-20.00'], payout: ['-70.00'] },
    takenBack: 1,
    without: { fee: 'they are of the acquiring bank, and no part of what Authorize.Net knows' },
    payouts: [['70.00', '70.00', '0.00']],
  };
}

function adyen(): MoneyProvider {
  const event = (
    eventCode: string,
    pspReference: string,
    value = 0,
    originalReference = '',
    { merchantAccountCode = 'Till', success = 'true' } = {},
  ): string =>
    JSON.stringify({
      live: 'true',
      notificationItems: [
        {
          NotificationRequestItem: {
            additionalData: {},
            amount: { currency: 'USD', value },
            eventCode,
            eventDate: new Date().toISOString(),
            merchantAccountCode,
            merchantReference: '',
            originalReference,
            pspReference,
            success,
          },
        },
      ],
    });
  const heading =
    'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Payment Method Variant,Modification Merchant Reference,Batch Number';
  const row = (psp: string, type: string, reference: string, money: string, batch = 4): string =>
    `Acme,Till,${psp},,visa,${today} 10:00:00,CET,${type},${reference},${money},visaclassic,,${batch}`;
  const reports: Readonly<Record<string, readonly string[]>> = {
    'settlement_detail_report_batch_4.csv': [
      row('PSP1', 'Settled', 'CAP1', 'USD,,100.00,1,USD,,97.80,,0.50,0.20,1.50'),
      row('PSP1', 'Refunded', 'REF1', 'USD,10.00,,1,USD,10.10,,,0.10,,'),
      row('PSP2', 'Chargeback', 'DIS1', 'USD,20.00,,1,USD,27.50,,,7.50,,'),
      // Of a payment that came before the connection, in euros, and is paid out in dollars.
      row('PSP3', 'Settled', 'CAP3', 'EUR,,10.00,1.1,USD,,10.70,,0.10,0.10,0.10'),
      row('', 'Fee', 'Transaction Fees', ',,,,USD,1.00,,,,,'),
      row('', 'MerchantPayout', 'TX1', ',,,,USD,69.90,,,,,'),
    ],
    // A row is missing.
    'settlement_detail_report_batch_5.csv': [
      row('PSP4', 'Settled', 'CAP4', 'USD,,50.00,1,USD,,49.00,,1.00,,', 5),
      row('', 'MerchantPayout', 'TX2', ',,,,USD,48.00,,,,,', 5),
    ],
    // Nothing is paid out.
    'settlement_detail_report_batch_6.csv': [row('PSP10', 'Settled', 'CAP10', 'USD,,12.00,1,USD,,12.00,,,,', 6)],
  };
  const cancellations = ['CANCELLATION', 'TECHNICAL_CANCEL', 'CANCEL_OR_REFUND'];
  return {
    account: 'Till',
    charge: (cents) => event('AUTHORISATION', `PSPOF${cents}`, cents),
    foreign: {
      event: () => event('AUTHORISATION', 'PSP0', 900, '', { merchantAccountCode: 'Stall' }),
      why: ofAnother,
    },
    unnamed: () => event('AUTHORISATION', 'PSP00', 900, '', { merchantAccountCode: '' }),
    secrets: { reportKey: 'report-key' },
    answer: ({ path, headers }) => {
      if (headers['x-api-key'] !== 'report-key') return { status: 401, body: {} };
      const report = reports[path.replace('/reports/download/MerchantAccount/Till/', '')];
      return report === undefined ? missing : { body: `\uFEFF${[heading, ...report, ''].join('\r\n')}` };
    },
    events: [
      () => [event('AUTHORISATION', 'PSP1', 10_000)],
      () => [event('REFUND', 'REF1', 1_000, 'PSP1')],
      () => [event('CHARGEBACK', 'DIS1', 2_000, 'PSP2')],
      () =>
        ['settlement_detail_report_batch_4.csv', 'received_payments_report.csv'].map((one) =>
          event('REPORT_AVAILABLE', one),
        ),
      () => [event('REPORT_AVAILABLE', 'settlement_detail_report_batch_5.csv')],
      // What is cancelled moves nothing, whichever comes first; each of these is taken back, or never made.
      () =>
        cancellations.flatMap((code) => [
          event('AUTHORISATION', `${code}1`, 2_000),
          event(code, `${code}2`, 0, `${code}1`),
          event(code, `${code}3`, 0, `${code}4`),
          event('AUTHORISATION', `${code}4`, 2_100),
        ]),
      // It failed; it was captured before; it was settled, paid out, and converted before.
      () => [
        event('AUTHORISATION', 'PSP7', 700),
        event('CANCELLATION', 'CAN7', 700, 'PSP7', { success: 'false' }),
        event('CAPTURE', 'CAP8', 800, 'PSP8'),
        event('CANCEL_OR_REFUND', 'CAN8', 0, 'PSP8'),
        event('AUTHORISATION', 'PSP8', 800),
        event('AUTHORISATION', 'PSP9', 900),
        event('REFUND', 'REF9', 100, 'PSP9'),
        event('CANCEL_OR_REFUND', 'CAN9', 0, 'PSP9'),
        ...['PSP3', 'PSP4'].map((psp) => event('CANCEL_OR_REFUND', `CAN${psp}`, 0, psp)),
        event('REPORT_AVAILABLE', 'settlement_detail_report_batch_6.csv'),
      ],
      () => [event('CANCEL_OR_REFUND', 'CAN10', 0, 'PSP10')],
    ],
    takenBack: cancellations.length,
    lines: {
      charge: ['10.00', '100.00', '11.00', '12.00', '50.00', '7.00', '8.00', '9.00'],
      fee: ['-0.10', '-0.30', '-1.00', '-1.00', '-2.20', '-7.50'],
      refund: ['-1.00', '-10.00'],
      dispute: ['-20.00'],
      payout: ['-48.00', '-69.90'],
      transfer: ['-10.00'],
    },
    without: {},
    payouts: [
      ['48.00', '49.00', '-1.00'],
      ['69.90', '69.90', '0.00'],
    ],
  };
}

/** Braintree's own library makes what it sends. */
function braintree(): MoneyProvider {
  const tag = (name: string, members: Readonly<Record<string, string>>): string =>
    `<${name}>${Object.entries(members)
      .map(([key, value]) => `<${key}>${value}</${key}>`)
      .join('')}</${name}>`;
  const transaction = (id: string, type: string, amount: string, settled: string, status = 'settled'): string =>
    tag('transaction', {
      id,
      type,
      amount,
      status,
      'currency-iso-code': 'USD',
      'order-id': 'INV-1',
      'created-at': then,
      'disbursement-details': [
        ['settlement-amount', settled],
        ['settlement-currency-iso-code', 'USD'],
      ]
        .map(([key, value]) => `<${key}>${value}</${key}>`)
        .join(''),
    });
  // As many as the disbursements of its library name.
  const transactions = new Map([
    ['afv56j', transaction('afv56j', 'sale', '120.00', '116.50')],
    ['kj8hjk', transaction('kj8hjk', 'credit', '16.00', '16.50')],
    ['ach1', transaction('ach1', 'sale', '40.00', '40.00')],
    ['ach2', transaction('ach2', 'sale', '60.00', '60.00')],
  ]);
  let status = 'open';
  const xml = (body: string): Said => ({ headers: { 'content-type': 'application/xml' }, body });
  return {
    settings: { merchant_id: 'merchant' },
    secrets: {},
    charge: (cents) => {
      const id = `achof${cents}`;
      transactions.set(id, transaction(id, 'sale', dollars(cents), dollars(cents)));
      return sampled('transaction_settled', id);
    },
    foreign: { event: () => sampled('transaction_settled', 'ach1', 'another'), why: ofAnother },
    answer: ({ path, headers, body }) => {
      const key = `Basic ${Buffer.from('public1:private-current').toString('base64')}`;
      if (headers.authorization !== key) return { status: 401, body: '' };
      const rest = path.replace('/merchants/merchant/', '');
      if (rest === 'disputes/dp1')
        return xml(
          tag('dispute', {
            id: 'dp1',
            kind: 'chargeback',
            status,
            'amount-disputed': '25.0',
            'amount-won': '24.00',
            'currency-iso-code': 'USD',
            'received-date': today,
            'updated-at': then,
            transaction: '<id>afv56j</id>',
          }),
        );
      if (rest.startsWith('transactions/advanced_search')) {
        const { ids } = (JSON.parse(body) as { search: { ids: readonly string[] } }).search;
        const found = ids.flatMap((id) => transactions.get(id) ?? []);
        return rest.endsWith('_ids')
          ? xml(
              `<search-results><page-size type="integer">50</page-size><ids type="array">${ids.map((id) => `<item>${id}</item>`).join('')}</ids></search-results>`,
            )
          : xml(
              `<credit-card-transactions type="collection"><current-page-number type="integer">1</current-page-number><page-size type="integer">50</page-size><total-items type="integer">${found.length}</total-items>${found.join('')}</credit-card-transactions>`,
            );
      }
      const one = transactions.get(rest.replace('transactions/', ''));
      return one === undefined ? { status: 404, body: '' } : xml(one);
    },
    events: [
      () => [sampled('transaction_settled', 'ach1'), sampled('transaction_settled', 'ach2')],
      () => {
        transactions.set('ach2', transaction('ach2', 'sale', '60.00', '60.00', 'settlement_declined'));
        return [sampled('transaction_settlement_declined', 'ach2')];
      },
      () => [sampled('dispute_opened', 'dp1'), sampled('disbursement', 'db1')],
      () => {
        status = 'won';
        return [sampled('dispute_won', 'dp1')];
      },
    ],
    lines: {
      charge: ['120.00', '40.00'],
      fee: ['-0.50', '-3.50'],
      refund: ['-16.00'],
      dispute: ['-25.00'],
      dispute_reversal: ['24.00'],
      payout: ['-100.00'],
    },
    takenBack: 1,
    without: {},
    payouts: [['100.00', '100.00', '0.00']],
  };
}

export const braintreeOf = (environment: Environment): BraintreeGateway =>
  new BraintreeGateway({ environment, merchantId: 'merchant', publicKey: 'public1', privateKey: 'private-current' });

/** The XML of a notification: whoever sends it signs it. */
const sampled = (kind: string, id: string, merchant?: string): string =>
  Buffer.from(
    braintreeOf(Environment.Sandbox).webhookTesting.sampleNotification(kind, id, merchant).bt_payload,
    'base64',
  ).toString();

/** By the adapter's name. */
export const moneyProviders: Readonly<Record<string, () => MoneyProvider>> = {
  stripe,
  paypal,
  authorizenet,
  adyen,
  braintree,
  square,
};
