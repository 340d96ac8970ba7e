import { join } from 'node:path';
import { BoundedMap } from '@steward/kernel';
import type { AdapterPayload } from 'oidc-provider';
import type { IdentitySettings } from '../../settings.ts';
import { approverClient } from '../scopes.ts';
import { fileRecords, recordFolder } from '../store/records.ts';
import { consoleClient } from './preset.ts';

const longest = 80;
const remembered = 1_000;

/**
 * What the development provider's clients call themselves. An identity provider of one's own keeps the names of its clients to itself: there
 * agents go by their ids alone.
 */
export function clientNames(
  config: Pick<IdentitySettings, 'issuers'> & { readonly dataDir: string },
): (id: string) => Promise<string | undefined> {
  if (config.issuers.length > 0) return async () => undefined;
  const records = fileRecords<AdapterPayload>(join(recordFolder(config.dataDir), 'Client'));
  // A registered client keeps its name.
  const known = new BoundedMap<string, string | undefined>(remembered).set(
    approverClient,
    consoleClient([]).client_name,
  );
  return async (id) => {
    const name = known.get(id) ?? (await records.get(id))?.['client_name'];
    if (typeof name !== 'string') return undefined;
    known.set(id, name);
    return name.slice(0, longest);
  };
}
