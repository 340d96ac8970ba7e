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
      description: 'How they begin and their last four characters; the keys themselves are not stored.',
      answers: { 200: 'A page of keys, ended ones too.' },
    }),
    rest('POST', '/api/sites/:siteId/keys', issueKey, {
      summary: 'Issue a publishable SDK key',
      description:
        'The answer is the only place where the key itself is shown. `origins`: null for those of the site, `[]` for servers only.',
      answers: { 201: 'The key.' },
      sends,
    }),
    rest('POST', '/api/sites/:siteId/keys/:keyId/rotate', rotateKey, {
      summary: 'Rotate an SDK key',
      description:
        'Issues its successor, shown once. The old key stays good for `overlapHours` more (24 where not given).',
      answers: { 201: 'The successor.' },
      sends,
    }),
    rest('DELETE', '/api/sites/:siteId/keys/:keyId', revokeKey, {
      summary: 'Revoke an SDK key',
      description: 'For good: at once in the process that is asked, within a second in every other.',
      answers: { 200: 'The revoked key.' },
    }),
  ];
}
