import { counted } from '@steward/kernel';
import { tool, type Outcome, type Tool } from '@steward/tools';
import { z } from 'zod';
import { forTool, toCamel, toSnake } from '../cases.ts';
import type { StudioGround } from '../ground.ts';
import { mostOrigins } from '../sites/origin.ts';
import { asks, changes, page } from '../tool-ground.ts';
import { issueKey } from './issue.ts';
import type { IssuedKey, NewKey } from './key.ts';
import { listKeys } from './list.ts';
import { revokeKey } from './revoke.ts';
import { longestOverlap, rotateKey } from './rotate.ts';
import { keyModes } from './text.ts';

const shape = {
  id: z.string(),
  site_id: z.string(),
  mode: z.enum(keyModes),
  label: z.string(),
  prefix: z.string(),
  last_four: z.string(),
  origins: z.array(z.string()).nullable(),
  status: z.enum(['active', 'ending', 'expired', 'revoked']),
  replaces: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
};
const listed = z.object(shape);
const issued = z.object({
  sdk_key: z.object({ ...shape, key: z.string().nullable().meta({ description: 'Shown here only. Keep it.' }) }),
});

/** A preview has issued nothing, so it shows no key. */
function answer(made: IssuedKey, preview: boolean, verb: string): Outcome {
  const { key, ...view } = made;
  const { id: _id, last_four: _last, created_at: _at, ...rest } = toSnake(view);
  if (preview) return { summary: `Would ${verb} a ${made.mode} key ${made.label}.`, preview: { sdk_key: rest } };
  const data = { sdk_key: { ...toSnake(view), key } };
  if (key !== null)
    return {
      summary: `The ${made.mode} key ends in ${made.lastFour}. Send it as X-Service-SDK-Key. It is not shown again.`,
      data,
    };
  return {
    summary: `The key ends in ${made.lastFour} and was shown when it was issued.`,
    warning: 'The key cannot be shown again. If it is lost, rotate it.',
    data,
  };
}

const bySite = { site_id: z.uuid().meta({ description: 'A site of service_list_sites.' }) };
const byKey = { ...bySite, key_id: z.uuid().meta({ description: 'A key of service_list_sdk_keys.' }) };

export const keyTools: readonly Tool<StudioGround>[] = [
  tool({
    ...changes,
    name: 'service_issue_sdk_key',
    title: 'Issue an SDK key',
    core: true,
    answersSecret: true,
    description:
      'Issues a publishable key `pk_…` with which the pages of a site read and submit its forms. It may stand in the source of a page. The key is shown in this answer only; a repeat with the same idempotency_key shows it again.',
    input: z.strictObject({
      ...bySite,
      mode: z.enum(keyModes).default('live').meta({ description: 'Submissions by a test key are marked as tests.' }),
      label: z.string().min(1).max(200).default('Storefront').meta({ description: 'Where it is used.' }),
      origins: z
        .array(z.string().max(255))
        .max(mostOrigins)
        .nullable()
        .optional()
        .meta({ description: 'Some of the site’s origins; all of them where not given; `[]` for servers only.' }),
    }),
    output: issued,
    run: async (call, { site_id, ...key }, ground) =>
      answer(await forTool(issueKey(call.context, ground, site_id, toCamel<NewKey>(key))), call.preview, 'issue'),
  }),
  tool({
    ...asks,
    name: 'service_list_sdk_keys',
    title: 'List SDK keys',
    core: false,
    description: 'Lists the keys of a site by label, last four characters, status and last use, ended ones too.',
    input: z.strictObject({ ...bySite, ...page }),
    output: z.object({ sdk_keys: z.array(listed), next_cursor: z.string().nullable() }),
    run: async (call, { site_id, ...wanted }) => {
      const { items, nextCursor } = await listKeys(call.context, site_id, wanted);
      return {
        summary: `${counted(items.length, 'key')}.`,
        data: { sdk_keys: items.map(toSnake), next_cursor: nextCursor },
      };
    },
  }),
  tool({
    ...changes,
    name: 'service_rotate_sdk_key',
    title: 'Rotate an SDK key',
    core: false,
    answersSecret: true,
    description:
      'Issues the successor of a key, shown in this answer only; the old key stays good for `overlap_hours` more, so that pages can change over.',
    input: z.strictObject({
      ...byKey,
      overlap_hours: z
        .int()
        .min(0)
        .max(longestOverlap)
        .default(24)
        .meta({ description: '0 ends the old key at once.' }),
    }),
    output: issued,
    run: async (call, { site_id, key_id, overlap_hours }, ground) =>
      answer(await forTool(rotateKey(call.context, ground, site_id, key_id, overlap_hours)), call.preview, 'rotate to'),
  }),
  tool({
    ...changes,
    final: true,
    name: 'service_revoke_sdk_key',
    title: 'Revoke an SDK key',
    core: false,
    description: 'Ends a key for good: pages that still use it can read and submit no forms.',
    annotations: { destructiveHint: true, idempotentHint: true },
    input: z.strictObject(byKey),
    output: z.object({ sdk_key: listed }),
    run: async (call, { site_id, key_id }, ground) => {
      const ended = await revokeKey(call.context, ground, site_id, key_id);
      return {
        summary: call.preview
          ? `Would revoke the key that ends in ${ended.lastFour} for good.`
          : `The key that ends in ${ended.lastFour} is revoked.`,
        data: { sdk_key: toSnake(ended) },
      };
    },
  }),
];
