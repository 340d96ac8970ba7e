import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Delivery } from '@steward/callbacks';
import { createLog } from '@steward/kernel';
import { createStub, type Asked, type Said as Answered, type Stub } from '@steward/testing/stub-api';
import { adyenClearing } from './adyen.ts';
import { authorizeNetClearing } from './authorize-net.ts';
import { paypalClearing } from './paypal.ts';
import { apiOf, type ClearingProvider, type Connection } from './provider.ts';
import type { Said } from './said.ts';
import { squareClearing } from './square.ts';

const log = createLog('silent');

describe('what providers of payments say', () => {
  const stack = new AsyncDisposableStack();
  let answer: (asked: Asked) => Answered;
  let stub: Stub;
  before(async () => {
    stub = stack.use(await createStub((asked) => answer(asked)));
  });
  after(async () => stack.disposeAsync());

  const api = () => apiOf('Provider', { live: stub.url, test: stub.url }, log);
  const connection = (more: Partial<Connection> = {}): Connection => ({
    id: 'c',
    provider: 'p',
    account: null,
    live: true,
    settings: {},
    secrets: {
      clientId: 'id',
      clientSecret: 'secret',
      accessToken: 'token',
      apiLoginId: 'login',
      transactionKey: 'key',
    },
    ...more,
  });
  const say = async (
    provider: ClearingProvider,
    topic: string,
    data: Record<string, unknown>,
    more: Partial<Connection> = {},
  ): Promise<Said> =>
    provider.say(
      connection(more),
      { topic, data, receivedAt: '2026-09-21T10:00:00.000Z' } as unknown as Delivery,
      AbortSignal.timeout(5_000),
      async () => [],
    );
  const told = ({ movements }: Said) =>
    movements.map(({ id, kind, currency, amount, day, reference, payoutId }) => [
      id,
      kind,
      currency,
      amount,
      day,
      reference ?? payoutId ?? '',
    ]);

  test('PayPal: nothing of the event but where to look, and the fee apart', async () => {
    const captures = new Map<string, object>();
    answer = ({ path, headers }) => {
      if (path === '/v1/oauth2/token')
        return headers.authorization === `Basic ${Buffer.from('id:secret').toString('base64')}`
          ? { body: { access_token: 'A21', expires_in: 32_400 } }
          : { status: 401, body: { error: 'invalid_client' } };
      if (headers.authorization !== 'Bearer A21') return { status: 401, body: {} };
      const found = captures.get(path);
      return found === undefined ? { status: 404, body: { name: 'RESOURCE_NOT_FOUND' } } : { body: found };
    };
    const money = (value: string, currency_code = 'EUR') => ({ value, currency_code });
    captures.set('/v2/payments/captures/CAP1', {
      id: 'CAP1',
      status: 'PARTIALLY_REFUNDED',
      amount: money('20.00'),
      invoice_id: 'INV-00007',
      create_time: '2026-09-20T23:30:00Z',
      seller_receivable_breakdown: {
        gross_amount: money('20.00'),
        paypal_fee: money('0.95'),
        net_amount: money('19.05'),
      },
    });
    captures.set('/v2/payments/refunds/REF1', {
      id: 'REF1',
      status: 'COMPLETED',
      amount: money('5.00'),
      create_time: '2026-09-22T08:00:00Z',
      seller_payable_breakdown: { gross_amount: money('5.00'), paypal_fee: money('0.10'), net_amount: money('4.90') },
    });
    captures.set('/v2/payments/captures/CAPX', {
      id: 'CAPX',
      status: 'COMPLETED',
      amount: money('20.00', 'USD'),
      create_time: '2026-09-20T23:30:00Z',
      seller_receivable_breakdown: {
        gross_amount: money('20.00', 'USD'),
        paypal_fee: money('0.95', 'USD'),
        receivable_amount: money('17.15'),
      },
    });
    const paypal = paypalClearing(api());
    const forged = { resource_type: 'capture', resource: { id: 'CAP1', amount: money('99999.00') } };
    assert.deepEqual(told(await say(paypal, 'PAYMENT.CAPTURE.COMPLETED', forged)), [
      ['CAP1', 'charge', 'EUR', 2_000n, '2026-09-20', 'INV-00007'],
      ['CAP1:fee', 'fee', 'EUR', -95n, '2026-09-20', ''],
    ]);
    assert.deepEqual(
      told(await say(paypal, 'PAYMENT.CAPTURE.REFUNDED', { resource_type: 'refund', resource: { id: 'REF1' } })),
      [
        ['REF1', 'refund', 'EUR', -500n, '2026-09-22', ''],
        ['REF1:fee', 'fee', 'EUR', 10n, '2026-09-22', ''],
      ],
    );
    assert.deepEqual(told(await say(paypal, 'PAYMENT.CAPTURE.COMPLETED', { resource: { id: 'CAPX' } })), [
      ['CAPX', 'charge', 'EUR', 1_715n, '2026-09-20', ''],
    ]);
    assert.equal(stub.asked.filter(({ path }) => path === '/v1/oauth2/token').length, 1, 'one token for all');
    await assert.rejects(say(paypal, 'PAYMENT.CAPTURE.COMPLETED', { resource: { id: '../../etc' } }), {
      name: 'NeverApplies',
    });
    await assert.rejects(say(paypal, 'PAYMENT.CAPTURE.COMPLETED', { resource: { id: 'OTHER' } }), {
      name: 'NeverApplies',
    });
  });

  test('Square: a payment and the payout that it is part of are one movement', async () => {
    const money = (amount: number) => ({ amount, currency: 'USD' });
    answer = ({ path, query, headers }) => {
      assert.equal(headers.authorization, 'Bearer token');
      if (path === '/v2/payments/PAY1')
        return {
          body: {
            payment: {
              id: 'PAY1',
              status: 'COMPLETED',
              created_at: '2026-09-20T10:00:00.000Z',
              total_money: money(1_000),
              reference_id: 'INV-00001',
              processing_fee: [{ amount_money: money(40) }],
            },
          },
        };
      if (path === '/v2/payouts/PO1')
        return {
          body: {
            payout: {
              id: 'PO1',
              status: 'PAID',
              amount_money: money(960),
              created_at: '2026-09-21T10:00:00Z',
              arrival_date: '2026-09-22',
            },
          },
        };
      const entry = (id: string, gross: number, fee: number, more: object) => ({
        id,
        effective_at: '2026-09-20T10:00:00Z',
        gross_amount_money: money(gross),
        fee_amount_money: money(fee),
        ...more,
      });
      return query.get('cursor') === null
        ? {
            body: {
              cursor: 'next',
              payout_entries: [entry('E1', 1_000, 40, { type: 'CHARGE', type_charge_details: { payment_id: 'PAY1' } })],
            },
          }
        : { body: { payout_entries: [entry('E2', -5, 0, { type: 'OTHER_ADJUSTMENT' })] } };
    };
    const square = squareClearing(api());
    const paid = told(await say(square, 'payment.updated', { data: { id: 'PAY1' } }));
    assert.deepEqual(paid, [
      ['PAY1', 'charge', 'USD', 1_000n, '2026-09-20', 'INV-00001'],
      ['PAY1:fee', 'fee', 'USD', -40n, '2026-09-20', ''],
    ]);
    const out = await say(square, 'payout.paid', { data: { id: 'PO1' } });
    assert.deepEqual(told(out), [
      ['PO1', 'payout', 'USD', -960n, '2026-09-21', ''],
      ['PAY1', 'charge', 'USD', 1_000n, '2026-09-20', 'PO1'],
      ['PAY1:fee', 'fee', 'USD', -40n, '2026-09-20', 'PO1'],
      ['E2', 'adjustment', 'USD', -5n, '2026-09-20', 'PO1'],
      ['E2:fee', 'fee', 'USD', 0n, '2026-09-20', 'PO1'],
    ]);
    assert.deepEqual(out.payouts, [
      { id: 'PO1', currency: 'USD', amount: 960n, day: '2026-09-22', status: 'paid', itemized: true, complete: true },
    ]);
  });

  test('Authorize.Net: what is captured counts, and what is voided is taken back', async () => {
    let status = 'capturedPendingSettlement';
    answer = ({ body }) => {
      const asked = (
        JSON.parse(body) as { getTransactionDetailsRequest: { transId: string; merchantAuthentication: object } }
      ).getTransactionDetailsRequest;
      assert.deepEqual(asked.merchantAuthentication, { name: 'login', transactionKey: 'key' });
      if (asked.transId !== '600')
        return { body: { messages: { resultCode: 'Error', message: [{ code: 'E00040', text: 'not found' }] } } };
      const transaction = {
        transId: '600',
        transactionStatus: status,
        settleAmount: 300,
        submitTimeUTC: '2026-09-20T10:00:00Z',
        order: { invoiceNumber: 'INV-00003' },
      };
      return { body: `\uFEFF${JSON.stringify({ messages: { resultCode: 'Ok' }, transaction })}` };
    };
    const net = authorizeNetClearing(api());
    const data = { payload: { id: '600' } };
    assert.deepEqual(told(await say(net, 'net.authorize.payment.authcapture.created', data)), [
      ['600', 'charge', 'USD', 30_000n, '2026-09-20', 'INV-00003'],
    ]);
    status = 'voided';
    const after = await say(net, 'net.authorize.payment.authcapture.created', data);
    assert.deepEqual([after.movements, after.gone], [[], ['600']]);
    await assert.rejects(say(net, 'net.authorize.payment.void.created', { payload: { id: '601' } }), {
      name: 'NeverApplies',
    });
  });

  test('Adyen: the signed fields alone, in the minor units of ISO 4217', async () => {
    const item = (eventCode: string, value: number, currency: string, success = 'true') => ({
      pspReference: 'PSP1',
      amount: { value, currency },
      eventCode,
      success,
      merchantReference: 'INV-00009',
      reason: 'not signed',
    });
    const before = stub.asked.length;
    const of = async (
      code: string,
      value: number,
      currency: string,
      more: Partial<Connection> = {},
      success = 'true',
    ) => told(await say(adyenClearing(api()), code, item(code, value, currency, success), more));
    assert.deepEqual(await of('AUTHORISATION', 1_000, 'EUR'), [
      ['AUTHORISATION:PSP1', 'charge', 'EUR', 1_000n, '2026-09-21', 'INV-00009'],
    ]);
    assert.deepEqual(await of('AUTHORISATION', 1_000, 'EUR', {}, 'false'), []);
    assert.deepEqual(await of('AUTHORISATION', 1_000, 'EUR', { settings: { capture: 'manual' } }), []);
    assert.deepEqual((await of('CAPTURE', 1_000, 'CLP', { settings: { capture: 'manual' } }))[0]?.[3], 10n);
    assert.deepEqual((await of('REFUND', 1_000, 'IDR'))[0]?.[3], -100_000n);
    for (const code of ['AUTHORISATION', 'REFUND', 'REFUND_FAILED', 'CAPTURE_FAILED', 'CHARGEBACK'])
      await assert.rejects(of(code, -1, 'EUR'), { name: 'NeverApplies', message: /an amount below nothing/ }, code);
    assert.equal(stub.asked.length, before);
  });

  test('Adyen: a report is fetched from the address that its signed name and merchant make, and read by its columns', async () => {
    const of = async (
      name: string,
      merchantAccountCode = 'Till',
      secrets: Connection['secrets'] = { reportKey: 'k' },
    ) =>
      say(
        adyenClearing(api()),
        'REPORT_AVAILABLE',
        { pspReference: name, merchantAccountCode, success: 'true', reason: 'https://elsewhere.example/' },
        { secrets },
      );
    const name = 'settlement_detail_report_batch_4.csv';
    answer = () => ({ body: 'Merchant Account,Type\nTill,Settled\n' });
    await assert.rejects(of(name), { name: 'NeverApplies', message: 'the report has no column Psp Reference' });
    assert.equal(stub.asked.at(-1)?.path, `/reports/download/MerchantAccount/Till/${name}`);
    const before = stub.asked.length;
    await assert.rejects(of(name, 'Till', {}), { name: 'NeverApplies', message: /no secret reportKey/ });
    for (const merchant of ['..', 'a/b', '', 'a'.repeat(101)])
      await assert.rejects(of(name, merchant), { name: 'NeverApplies' });
    for (const other of [
      'dispute_report.csv',
      'settlement_detail_report/../../x.csv',
      'settlement_detail_report.csv?x',
    ])
      assert.deepEqual(await of(other), { movements: [], payouts: [] });
    assert.equal(stub.asked.length, before);
  });
});
