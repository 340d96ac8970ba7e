import { NeverApplies } from '@steward/callbacks';
import { type Api, type ClearingProvider, secretOf, segment } from './provider.ts';
import { dayOf, decimal, listOf, membersOf, required, textOf, UnexpectedAnswer } from './read.ts';
import { nothingSaid, type Said } from './said.ts';

/** Statuses of transactions whose money is, or is going to be, in the merchant's account. */
const counts: Readonly<Record<string, 'charge' | 'refund'>> = {
  capturedPendingSettlement: 'charge',
  settledSuccessfully: 'charge',
  refundPendingSettlement: 'refund',
  refundSettledSuccessfully: 'refund',
};
const gone = new Set(['voided', 'declined', 'expired', 'generalError', 'settlementError', 'couldNotVoid']);

/**
 * Authorize.Net. It is a gateway: it knows what was captured, given back and voided. Fees and payouts are the acquiring bank's, and nobody tells of a
 * settlement, so a capture counts when it is made and is taken back where it is voided. Its answers name no currency: the connection does.
 */
export const authorizeNetClearing = (api: Api): ClearingProvider => ({
  name: 'authorizenet',
  title: 'Authorize.Net',
  credentials: { apiLoginId: 'API login id.', transactionKey: 'Transaction key.' },
  settings: { currency: 'Currency of the merchant account, such as USD, which is the default.' },
  topics: [
    'net.authorize.payment.authcapture.created',
    'net.authorize.payment.capture.created',
    'net.authorize.payment.priorAuthCapture.created',
    'net.authorize.payment.refund.created',
    'net.authorize.payment.void.created',
    'net.authorize.payment.fraud.approved',
    'net.authorize.payment.fraud.declined',
  ],
  say: async (connection, delivery, signal) => {
    const transId = segment(membersOf(delivery.data['payload'])['id'], /^\d{1,30}$/);
    const { body } = await api.of(connection).call('POST', '/xml/v1/request.api', {
      body: {
        getTransactionDetailsRequest: {
          merchantAuthentication: {
            name: secretOf(connection, 'apiLoginId'),
            transactionKey: secretOf(connection, 'transactionKey'),
          },
          transId,
        },
      },
      signal,
    });
    const { messages, transaction } = membersOf(body);
    const [message] = listOf(membersOf(messages)['message']);
    // It refuses with 200. E00040: there is no such record.
    if (message?.['code'] === 'E00040') throw new NeverApplies('the provider has no such transaction in this account');
    if (membersOf(messages)['resultCode'] !== 'Ok')
      throw new UnexpectedAnswer(`Authorize.Net refuses: ${textOf(message?.['code']) ?? 'without a code'}`);
    return read(membersOf(transaction), connection.settings['currency'] ?? 'USD');
  },
});

function read(said: Readonly<Record<string, unknown>>, currency: string): Said {
  const id = required(said['transId'], 'transId');
  const status = textOf(said['transactionStatus']) ?? '';
  const common = {
    id,
    currency,
    day: dayOf(said['submitTimeUTC'], 'submitTimeUTC'),
    reference: textOf(membersOf(said['order'])['invoiceNumber']) ?? null,
  };
  const kind = counts[status];
  if (kind === undefined) return gone.has(status) ? { ...nothingSaid, gone: [id] } : nothingSaid;
  const amount = decimal(said['settleAmount'] ?? said['authAmount'], currency, 'settleAmount');
  return {
    ...nothingSaid,
    movements: [
      { ...common, kind, amount: kind === 'charge' ? amount : -amount, description: `Authorize.Net ${kind} ${id}` },
    ],
  };
}
