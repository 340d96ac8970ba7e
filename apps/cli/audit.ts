import { command } from './command.ts';

const tenant = { value: '<id>' } as const;
const json = { help: 'machine-readable' } as const;

/** Actions on the audit log. */
export const auditCommands = {
  verify: command({
    help: 'compares log and archive; exit 0 verified, 1 findings, 3 out of reach',
    options: {
      tenant: { ...tenant, help: 'of this tenant only' },
      archive: { value: 'ADDRESS', help: 'instead of AUDIT_ARCHIVE: file:folder or s3://bucket/prefix' },
      key: {
        value: 'KEY',
        repeatable: true,
        help: "trusts this public key, or a file of them, instead of the database's",
      },
      canonical: { help: 'also canonicalizes every text again' },
      workers: { value: 'n', help: 'threads; as many as there are processors' },
      'accept-incarnation': { value: 'n', help: 'restored backups up to this number are known' },
      'fresh-within': { value: 'days', help: 'how many days may be over and not sealed: 3' },
      json,
      offline: { needs: ['archive', 'key'], help: 'the archive by itself, without any database' },
      proof: { value: 'FILE', needs: ['key'], takes: ['archive'], help: "one event's proof" },
    },
    run: async (values, env) => (await import('./audit/verify.ts')).verifyCommand(values, env),
  }),
  status: command({
    help: 'how far days are sealed, and what is in the way; exit 1 if something is',
    options: { json: {} },
    run: async (values, env) => (await import('./audit/status.ts')).statusCommand(values, env),
  }),
  seal: command({
    help: 'seals every UTC day up to this one that is over',
    options: { day: { value: '2026-03-01', required: true }, tenant: { ...tenant, help: 'of this tenant only' } },
    run: async (values, env) => (await import('./audit/seal.ts')).sealCommand(values, env),
  }),
  proof: command({
    help: 'the proof that an event is in a sealed day',
    options: {
      event: { value: '<id>', required: true },
      tenant: { ...tenant, help: 'finds the event sooner' },
      format: { value: 'tlog-proof', help: 'in the format of C2SP, instead of JSON' },
      out: { value: 'FILE', help: 'a new file instead of stdout' },
    },
    run: async (values, env) => (await import('./audit/proof.ts')).proofCommand(values, env),
  }),
  receipt: command({
    help: 'checks the answer with a receipt against the chain; without --file from stdin',
    options: {
      file: { value: 'FILE' },
      key: { value: 'steward/audit+…', repeatable: true },
      tenant,
      json: {},
    },
    run: async (values, env) => (await import('./audit/receipt.ts')).receiptCommand(values, env),
  }),
  claim: command({
    help: 'makes the archive belong to this database: after a restored backup, or a move',
    options: {
      reason: { value: '"…"', required: true },
      'new-archive': {
        help: 'begins an archive that lacks what this database has sealed: the old one is lost, or this is a copy',
      },
    },
    run: async (values, env) => (await import('./audit/claim.ts')).claimCommand(values, env),
  }),
  export: command({
    help: 'exports its events, with the verifier and the public keys',
    options: {
      tenant: { ...tenant, required: true },
      out: { value: 'FOLDER', required: true },
      format: { value: 'csv', help: 'instead of JSON Lines' },
      from: { value: '2026-03-01', help: 'received since then; a day, or a time of RFC 3339' },
      to: { value: '2026-03-31', help: 'received until then; a day is included' },
      type: { value: 'commerce.order.*' },
      grammar: { value: '…' },
      principal: { value: 'user:alice' },
      resource: { value: '…' },
      correlation: { value: '…' },
      cause: { value: '…' },
      'sequence-from': { value: 'n' },
      'sequence-to': { value: 'n' },
    },
    run: async (values, env) => (await import('./audit/export.ts')).exportCommand(values, env),
  }),
  erase: command({
    help: "destroys the key of a subject's personal data",
    options: {
      tenant: { ...tenant, required: true },
      subject: { value: '<id>', required: true, help: 'as payloads name it' },
      reason: { value: '"…"', required: true, help: 'recorded for ever, so without naming anybody' },
      since: { value: '2026-03-01' },
      'from-archive': {
        takes: ['tenant', 'since'],
        help: 'repeats all erasures of the archive, people too, after a restored backup',
      },
    },
    run: async (values, env) => (await import('./audit/erase.ts')).eraseCommand(values, env),
  }),
  hold: command({
    help: 'the legal hold, under which nothing is erased or expires',
    options: {
      tenant: { ...tenant, required: true },
      reason: { value: '"…"', help: 'places one' },
      release: { help: 'ends it' },
    },
    run: async (values, env) => (await import('./audit/hold.ts')).holdCommand(values, env),
  }),
  expire: command({
    help: 'removes archived rows older than AUDIT_RETENTION_DAYS',
    options: { tenant, 'dry-run': { help: 'says which' } },
    run: async (values, env) => (await import('./audit/expire.ts')).expireCommand(values, env),
  }),
  keys: command({
    help: 'the public keys that verifiers take, the current one last',
    run: async (_values, env) => (await import('./audit/keys.ts')).keysCommand(env),
  }),
  'rotate-key': command({
    help: 'makes a new signing key, which the present one endorses unless it is lost',
    options: { lost: {} },
    run: async (values, env) => (await import('./audit/rotate-key.ts')).rotateKeyCommand(values, env),
  }),
  rewrap: command({
    help: 'wraps the keys of personal data with the first of AUDIT_MASTER_KEY',
    options: { lost: { value: '<id>', help: 'erases what only this lost master key opens' } },
    run: async (values, env) => (await import('./audit/rewrap.ts')).rewrapCommand(values, env),
  }),
};
