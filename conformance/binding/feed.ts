import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Answer, Json, World } from '@steward/conformance/world';
import { adyenCharge, adyenKey } from '../callbacks/adyen.ts';
import type { Do, Things } from './commands.ts';

interface Own {
  readonly rest: (method: string, path: string, body?: unknown) => Promise<Answer>;
  readonly act: Do;
  readonly next: () => number;
}

const list = (json: Json | undefined): Json[] => (json ?? []) as unknown as Json[];

/** Connects a gateway that tells of two charges, the second of which a file brought too. Nothing is asked of it. */
export const feeding =
  (world: World, { rest, act, next }: Own): Things['feed'] =>
  async () => {
    const made = await rest('POST', '/connections', {
      receiver: 'accounting.gateway_payments',
      provider: 'adyen',
      name: `Till ${next()}`,
      live: true,
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const connection = String(made.body['id']);
    const given = await rest('PUT', `/connections/${connection}/secrets`, { secrets: { signing: adyenKey } });
    assert.equal(given.status, 200, JSON.stringify(given.body));
    const charge = async (value: number): Promise<void> => {
      const url = `${world.server.addresses.accounting}/webhooks/gateway_payments?c=${connection}`;
      const answer = await world.call(url, adyenCharge(`PSP${next()}`, value));
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    const until = async (fits: (feed: Json) => boolean): Promise<Json> => {
      for (;;) {
        const feed = list((await act('service_list_feeds', {}))['feeds']).find(
          (one) => String(one['connection_id']) === connection,
        );
        if (feed !== undefined && fits(feed)) return feed;
        await setTimeout(50);
      }
    };
    await charge(1_000);
    const { account, feed_id } = await until(() => true);
    const today = new Date().toISOString().slice(0, 10);
    await act('service_import_bank_statement', {
      account,
      format: 'csv',
      content: `date,amount,description\n${today},20.00,Card takings ${next()}\n`,
    });
    await charge(2_000);
    await until(({ doubles }) => Number(doubles) === 1);
    const { movements } = await act('service_list_feed_movements', { feed_id, state: 'double' });
    return { feed_id: String(feed_id), movement_ids: list(movements).map((one) => String(one['movement_id'])) };
  };
