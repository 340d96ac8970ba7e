import { verifyLog } from '@steward/verification';

/** Run in a process of its own: verifies one tenant, and says how much memory that took at most, in kilobytes. */
const [ownerUrl = '', address = '', tenant = ''] = process.argv.slice(2);
const s3 = { endpoint: undefined, region: '', credentials: undefined };
await verifyLog({
  ownerUrl,
  tenant,
  archive: { address, immutable: false, accept: 'anything', retentionDays: 1, s3 },
});
console.log(process.resourceUsage().maxRSS);
