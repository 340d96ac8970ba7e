import { isCurrency, dictionary } from '@steward/kernel';
import { NeverApplies } from '@steward/callbacks';
import type { MovementKind } from '../feeds/movement.ts';
import { chargeOf, reportTopic, settled, takenOf } from './adyen-report.ts';
import type { Api, ClearingProvider } from './provider.ts';
import { integer, type Members, membersOf, required, textOf } from './read.ts';
import { nothingSaid, type Said } from './said.ts';

const effects = dictionary<{ readonly kind: MovementKind; readonly sign: 1n | -1n }>({
  CAPTURE: { kind: 'charge', sign: 1n },
  CAPTURE_FAILED: { kind: 'adjustment', sign: -1n },
  REFUND: { kind: 'refund', sign: -1n },
  REFUND_FAILED: { kind: 'refund_reversal', sign: 1n },
  REFUNDED_REVERSED: { kind: 'refund_reversal', sign: 1n },
  CHARGEBACK: { kind: 'dispute', sign: -1n },
  SECOND_CHARGEBACK: { kind: 'dispute', sign: -1n },
  CHARGEBACK_REVERSED: { kind: 'dispute_reversal', sign: 1n },
});

/** What takes an authorisation back before it is captured; the last may be a refund, and which of the two it is, is not signed. */
const cancellations = new Set(['CANCELLATION', 'TECHNICAL_CANCEL', 'CANCEL_OR_REFUND']);

/**
 * Adyen. Of a notification only the eight fields that an item's signature covers are read; they have no time and no fee. Fees and payouts are in the
 * report of each settlement, which is fetched when its notification comes. Where Adyen captures at once, which the connection's `capture` says
 * (`automatic`, or `manual`), the authorisation is the charge, until it is cancelled; what was captured, given back, disputed or settled of stays.
 */
export const adyenClearing = (api: Api): ClearingProvider => ({
  name: 'adyen',
  title: 'Adyen',
  credentials: {
    reportKey:
      'API key of a report user, with the role Merchant Report Download. With it, fees and payouts are read from the Settlement details report, which must be generated automatically.',
  },
  optional: ['reportKey'],
  settings: {
    capture:
      'Optional. `automatic`, the default, where payments are captured at once; `manual` where each capture is asked for.',
  },
  topics: ['AUTHORISATION', reportTopic, ...Object.keys(effects), ...cancellations],
  say: async (connection, { topic, data, receivedAt }, signal) => {
    if (String(data['success']) !== 'true') return nothingSaid;
    const automatic = (connection.settings['capture'] ?? 'automatic') === 'automatic';
    return topic === reportTopic
      ? settled(api, { connection, data, automatic }, signal)
      : notified(topic, data, { automatic, day: receivedAt.slice(0, 10) });
  },
});

function notified(
  topic: string,
  data: Members,
  { automatic, day }: { readonly automatic: boolean; readonly day: string },
): Said {
  const original = textOf(data['originalReference']);
  const amount = membersOf(data['amount']);
  const currency = textOf(amount['currency']);
  const taken =
    automatic && original !== undefined && currency !== undefined ? takenOf(original, { currency, day }) : undefined;
  if (cancellations.has(topic)) {
    if (taken === undefined || original === undefined) return nothingSaid;
    const charge = chargeOf(original);
    // It may come first.
    const noted = [{ ...taken, id: charge, description: `Adyen cancelled charge ${original}` }];
    return { ...nothingSaid, noted, gone: [charge], unless: taken.id };
  }
  const noted = taken === undefined || topic === 'AUTHORISATION' ? [] : [taken];
  const effect = effects[topic === 'AUTHORISATION' ? 'CAPTURE' : topic];
  if (effect === undefined || (topic === 'AUTHORISATION' && !automatic)) return nothingSaid;
  if (topic === 'CAPTURE' && automatic) return { ...nothingSaid, noted };
  const psp = required(data['pspReference'], 'pspReference');
  const units = integer(amount['value'], 'amount');
  if (units < 0n) throw new NeverApplies(`an item ${topic} has an amount below nothing`);
  const of = required(currency, 'currency');
  return {
    ...nothingSaid,
    noted,
    movements: [
      {
        id: topic === 'AUTHORISATION' ? chargeOf(psp) : `${topic}:${psp}`,
        kind: effect.kind,
        currency: of,
        amount: effect.sign * minor(units, of),
        day,
        dayAsFirstSaid: true,
        unlessGone: topic === 'AUTHORISATION',
        description: `Adyen ${effect.kind.replaceAll('_', ' ')} ${psp}`,
        reference: textOf(data['merchantReference']) ?? null,
      },
    ],
  };
}

/** Adyen's minor digits, where they are not those of ISO 4217. https://docs.adyen.com/development-resources/currency-codes */
function minor(units: bigint, currency: string): bigint {
  if (!isCurrency(currency)) throw new NeverApplies(`${currency} is no currency of ISO 4217`);
  if (currency === 'CVE' || currency === 'IDR') return units * 100n;
  if (currency !== 'CLP' && currency !== 'ISK') return units;
  if (units % 100n !== 0n) throw new NeverApplies(`an amount is a part of a unit of ${currency}`);
  return units / 100n;
}
