import { join } from 'node:path';
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import { fileRecords, memoryRecords, type Records } from './records.ts';

/** What a client or its owner would miss after a restart. */
const kept = new Set(['Client', 'Grant', 'RefreshToken']);

/** Storage for `oidc-provider`, one kind of record at a time. */
export function adapterFactory(folder: string): AdapterFactory {
  return (name) => createAdapter(kept.has(name) ? fileRecords(join(folder, name)) : memoryRecords());
}

function createAdapter(records: Records<AdapterPayload>): Adapter {
  // Sessions are found by a second name, and live in memory alone.
  const byUid = memoryRecords<string>();
  return {
    upsert: async (id, payload, expiresIn) => {
      const expiresAt = expiresIn === undefined ? undefined : Date.now() + expiresIn * 1000;
      await records.set(id, payload, expiresAt);
      if (payload.uid !== undefined) await byUid.set(payload.uid, id, expiresAt);
    },
    find: async (id) => records.get(id),
    findByUid: async (uid) => {
      const id = await byUid.get(uid);
      return id === undefined ? undefined : records.get(id);
    },
    // Only the device flow asks for it, which is off.
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const found = await records.get(id);
      if (found === undefined) return;
      const consumed = { ...found, consumed: Math.floor(Date.now() / 1000) };
      await records.set(id, consumed, found.exp === undefined ? undefined : found.exp * 1000);
    },
    destroy: async (id) => records.delete(id),
    revokeByGrantId: async (grantId) => records.deleteWhere((payload) => payload.grantId === grantId),
  };
}
