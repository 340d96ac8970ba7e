import { oneOf } from './one-of.ts';

/** Actions on the audit log: one file each, in `audit/`. */
export const auditCommand = oneOf('audit', {
  verify: async () => (await import('./audit/verify.ts')).verifyCommand,
  status: async () => (await import('./audit/status.ts')).statusCommand,
  seal: async () => (await import('./audit/seal.ts')).sealCommand,
  claim: async () => (await import('./audit/claim.ts')).claimCommand,
  receipt: async () => (await import('./audit/receipt.ts')).receiptCommand,
  proof: async () => (await import('./audit/proof.ts')).proofCommand,
  export: async () => (await import('./audit/export.ts')).exportCommand,
  erase: async () => (await import('./audit/erase.ts')).eraseCommand,
  hold: async () => (await import('./audit/hold.ts')).holdCommand,
  expire: async () => (await import('./audit/expire.ts')).expireCommand,
  keys: async () => (await import('./audit/keys.ts')).keysCommand,
  'rotate-key': async () => (await import('./audit/rotate-key.ts')).rotateKeyCommand,
  rewrap: async () => (await import('./audit/rewrap.ts')).rewrapCommand,
});
