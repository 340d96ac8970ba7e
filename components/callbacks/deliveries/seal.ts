import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** What the worker takes a delivery for: all that decides what it does, and for whom. */
export interface Sealed {
  readonly tenant: string;
  readonly deliveryId: string;
  readonly receiver: string;
  readonly provider: string;
  readonly connectionId: string | null;
  readonly account: string | null;
  readonly providerDeliveryId: string;
  readonly eventId: string;
  readonly topic: string;
  readonly live: boolean | null;
  readonly resource: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  readonly occurredAt: string | null;
  readonly item: number;
  readonly body: Uint8Array;
}

/**
 * Marks deliveries as taken by the intake, by a key that the database has not: a row that somebody writes with the application's login, or changes, is
 * not carried out.
 */
export interface DeliverySeal {
  of(delivery: Sealed): Buffer;
  fits(delivery: Sealed, seal: Uint8Array): boolean;
}

/** @param secret of the installation */
export function createDeliverySeal(secret: Uint8Array): DeliverySeal {
  const key = createHmac('sha256', secret).update('callbacks-delivery/v1').digest();
  const of = ({ body, ...facts }: Sealed): Buffer => {
    const { tenant, deliveryId, receiver, provider, connectionId, account, providerDeliveryId, eventId } = facts;
    const { topic, live, resource, occurredAt, item } = facts;
    const names = [tenant, deliveryId, receiver, provider, connectionId, account, providerDeliveryId, eventId];
    return createHmac('sha256', key)
      .update(JSON.stringify([...names, topic, live, resource, occurredAt, item, hash('sha256', body)]))
      .digest();
  };
  return { of, fits: (delivery, seal) => seal.length === 32 && timingSafeEqual(of(delivery), seal) };
}
