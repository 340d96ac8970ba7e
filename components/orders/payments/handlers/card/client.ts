import { Agent as PlainAgent } from 'node:http';
import { Agent } from 'node:https';
import type Stripe from 'stripe';

/** Milliseconds that one question may take. */
const deadline = 10_000;

/** A client of the provider for a key of an account. The SDK is loaded with the first. */
export type CardClient = (apiKey: string) => Promise<Stripe>;

/** @param base the provider's address, without a path */
export function cardClient(base: URL): CardClient {
  const plain = base.protocol === 'http:';
  const agent = new (plain ? PlainAgent : Agent)({ keepAlive: true, maxSockets: 50 });
  return async (apiKey) => {
    const { default: Sdk } = await import('stripe');
    return new Sdk(apiKey, {
      protocol: plain ? 'http' : 'https',
      host: base.hostname,
      port: base.port === '' ? (plain ? 80 : 443) : Number(base.port),
      httpAgent: agent,
      timeout: deadline,
      // Whoever asks again does so by what is written down.
      maxNetworkRetries: 0,
      telemetry: false,
    });
  };
}
