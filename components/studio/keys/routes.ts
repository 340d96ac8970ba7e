import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import type { MemberGuard } from '../door.ts';
import type { StudioDeps } from '../deps.ts';
import { issueKey } from './issue.ts';
import { listKeys } from './list.ts';
import { revokeKey } from './revoke.ts';
import { rotateKey } from './rotate.ts';

/** No cache on the way may keep the one showing of a key. */
const sends = () => ({ 'cache-control': 'no-store' });

export function keyRoutes(guard: MemberGuard, ports: StudioDeps): Route[] {
  const rest = restOf({ guard, tag: 'SDK keys', ports });
  return [
    rest('GET', '/api/sites/:siteId/keys', listKeys, {
      summary: 'List a site’s SDK keys',
      description: 'Shows the beginning and the last four characters of each key. The keys themselves are not stored.',
      answers: { 200: 'A page of keys, including those that ended.' },
    }),
    rest('POST', '/api/sites/:siteId/keys', issueKey, {
      summary: 'Issue a publishable SDK key',
      description:
        'Only this answer shows the key. `origins`: null for all origins of the site, `[]` for servers only.',
      answers: { 201: 'The key.' },
      sends,
    }),
    rest('POST', '/api/sites/:siteId/keys/:keyId/rotate', rotateKey, {
      summary: 'Rotate an SDK key',
      description: 'Issues a new key and shows it once. The old key still works for `overlapHours` (default 24).',
      answers: { 201: 'The successor.' },
      sends,
    }),
    rest('DELETE', '/api/sites/:siteId/keys/:keyId', revokeKey, {
      summary: 'Revoke an SDK key',
      description:
        'Ends the key for good: at once in the process that answers, within a second in every other process.',
      answers: { 200: 'The revoked key.' },
    }),
  ];
}
