import { openPool, statement } from '@steward/sql';
import { actingIn } from '../binding/acting.ts';
import { commands } from '../binding/commands.ts';
import { normalised } from './normalised.ts';
import type { Setting } from './setting.ts';

/** A type alias: a row is open to any column. */
type Stored = { readonly type: string; readonly text: string };

/**
 * What is kept for good, once every command was carried out and everybody was made who calls here: of each type the log's event that
 * says most, and of each type the row of the outbox that does. As they are stored, but for ids, times and digests.
 */
export async function stored(setting: Setting): Promise<Record<string, string>> {
  const { world } = setting;
  await everyCommand(setting);
  const admin = openPool({ url: world.db.adminUrl, size: 1 });
  try {
    const rows = async (text: string): Promise<readonly Stored[]> => admin.query<Stored>(statement(text));
    const addresses = [setting.origin, world.server.internalUrl];
    const fullest = (all: readonly Stored[]): string => {
      const found = new Map<string, string>();
      for (const { type, text } of all) {
        const one = normalised(text, addresses);
        const other = found.get(type) ?? '';
        if (one.length > other.length || (one.length === other.length && one < other)) found.set(type, one);
      }
      return [...found]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, text]) => `${text}\n`)
        .join('');
    };
    return {
      'stored/events.jsonl': fullest(await rows('select type, event as text from audit.event')),
      'stored/announced.txt': fullest(
        await rows(`select type, type || ' ' || source || ' ' || data as text from bus.outbox`),
      ),
    };
  } finally {
    await admin.close();
  }
}

/** Each command there is, carried out by an agent in a tenant of its own, where one person approves what waits. */
async function everyCommand({ world, dns }: Setting): Promise<void> {
  const { act, things } = await actingIn(world, 'recorded@example.com', 'Recorded', dns);
  for (const [name, argumentsOf] of Object.entries(commands)) await act(name, await argumentsOf(act, things));
}
