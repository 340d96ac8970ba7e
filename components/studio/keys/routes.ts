import { pageOf, pageQuery, route, type Route } from '@steward/contract';
import { z } from 'zod';
import { byKey, bySite, type MemberGuard } from '../door.ts';
import type { StudioGround } from '../ground.ts';
import { issueKey } from './issue.ts';
import { newKey } from './key.ts';
import { listKeys } from './list.ts';
import { revokeKey } from './revoke.ts';
import { longestOverlap, rotateKey } from './rotate.ts';
import { keyModes } from './text.ts';

const shape = {
  id: z.uuid(),
  siteId: z.uuid(),
  mode: z.enum(keyModes),
  label: z.string(),
  prefix: z.string(),
  lastFour: z.string(),
  origins: z.array(z.string()).nullable(),
  status: z.enum(['active', 'ending', 'expired', 'revoked']),
  replaces: z.uuid().nullable(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
};
const listed = z.object(shape);
const issued = z.object({ ...shape, key: z.string().nullable() });
/** No cache on the way may keep the one showing of a key. */
const unstored = { 'cache-control': 'no-store' };

export const keyRoutes = (guard: MemberGuard, ground: StudioGround): Route[] => [
  route({
    method: 'GET',
    path: '/api/sites/:siteId/keys',
    does: 'service_list_sdk_keys',
    summary: 'List a site’s SDK keys',
    description: 'How they begin and their last four characters; the keys themselves are not stored.',
    tag: 'SDK keys',
    guard,
    params: bySite,
    query: pageQuery(),
    answers: { 200: { description: 'A page of keys, ended ones too.', schema: pageOf(listed) } },
    errors: ['insufficient_role', 'not_found'],
    handle: async ({ guard: { context }, params, query }) => ({
      status: 200,
      body: await listKeys(context, params.siteId, query),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/sites/:siteId/keys',
    does: 'service_issue_sdk_key',
    summary: 'Issue a publishable SDK key',
    description:
      'The answer is the only place where the key itself is shown. `origins`: null for those of the site, `[]` for servers only.',
    tag: 'SDK keys',
    guard,
    params: bySite,
    body: newKey,
    answers: { 201: { description: 'The key.', schema: issued } },
    errors: ['insufficient_role', 'not_found', 'site_disabled', 'sdk_key_limit'],
    handle: async ({ guard: { context }, params, body }) => ({
      status: 201,
      headers: unstored,
      body: await issueKey(context, ground, params.siteId, body),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/sites/:siteId/keys/:keyId/rotate',
    does: 'service_rotate_sdk_key',
    summary: 'Rotate an SDK key',
    description:
      'Issues its successor, shown once. The old key stays good for `overlapHours` more (24 where not given).',
    tag: 'SDK keys',
    guard,
    params: byKey,
    body: z.strictObject({ overlapHours: z.int().min(0).max(longestOverlap).default(24) }),
    answers: { 201: { description: 'The successor.', schema: issued } },
    errors: ['insufficient_role', 'not_found', 'site_disabled', 'sdk_key_ended', 'sdk_key_limit'],
    handle: async ({ guard: { context }, params, body }) => ({
      status: 201,
      headers: unstored,
      body: await rotateKey(context, ground, params.siteId, params.keyId, body.overlapHours),
    }),
  }),
  route({
    method: 'DELETE',
    path: '/api/sites/:siteId/keys/:keyId',
    does: 'service_revoke_sdk_key',
    summary: 'Revoke an SDK key',
    description: 'For good: at once in the process that is asked, within a second in every other.',
    tag: 'SDK keys',
    guard,
    params: byKey,
    answers: { 200: { description: 'The revoked key.', schema: listed } },
    errors: ['insufficient_role', 'not_found'],
    handle: async ({ guard: { context }, params }) => ({
      status: 200,
      body: await revokeKey(context, ground, params.siteId, params.keyId),
    }),
  }),
];
