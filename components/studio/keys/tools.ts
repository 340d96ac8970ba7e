import { counted } from '@steward/kernel';
import { toolOf, under, type Tool } from '@steward/tools';
import type { StudioDeps } from '../deps.ts';
import { issueKey } from './issue.ts';
import { issuedKey, sdkKey, type IssuedKey } from './key.ts';
import { listKeys } from './list.ts';
import { revokeKey } from './revoke.ts';
import { rotateKey } from './rotate.ts';

/** A preview has issued nothing, so it shows no key. */
const issuing = (verb: string) => ({
  answersSecret: true,
  shows: under('sdkKey', issuedKey),
  preview: ({ key: _key, id: _id, lastFour: _last, createdAt: _at, ...rest }: IssuedKey) => ({ sdkKey: rest }),
  say: ({ mode, label, key, lastFour }: IssuedKey, preview: boolean) =>
    preview
      ? `Would ${verb} a ${mode} key ${label}.`
      : key === null
        ? `The key ends in ${lastFour} and was shown when it was issued.`
        : `The ${mode} key ends in ${lastFour}. Send it as X-Service-SDK-Key. It is not shown again.`,
  warn: ({ key }: IssuedKey) => (key === null ? 'The key cannot be shown again. If it is lost, rotate it.' : undefined),
});

export const keyTools: readonly Tool<StudioDeps>[] = [
  toolOf(issueKey, {
    ...issuing('issue'),
    core: true,
    title: 'Issue an SDK key',
    description:
      'Issues a publishable key `pk_…` that the pages of a site read and submit its forms with. It may appear in the ' +
      'source of a page. Only this answer shows the key; a repeat with the same idempotency_key shows it again.',
  }),
  toolOf(listKeys, {
    core: false,
    title: 'List SDK keys',
    description:
      'Lists the keys of a site with label, last four characters, status and last use, including keys that ended.',
    answers: { items: 'sdkKeys' },
    say: ({ items }) => `${counted(items.length, 'key')}.`,
  }),
  toolOf(rotateKey, {
    ...issuing('rotate to'),
    core: false,
    title: 'Rotate an SDK key',
    description:
      'Replaces a key by a new one, which only this answer shows. The old key still works for `overlap_hours`, so that ' +
      'pages can change over.',
  }),
  toolOf(revokeKey, {
    core: false,
    final: true,
    annotations: { destructiveHint: true, idempotentHint: true },
    title: 'Revoke an SDK key',
    description: 'Ends a key for good. Pages that still use it can no longer read or submit forms.',
    shows: under('sdkKey', sdkKey.answer),
    say: ({ lastFour }, preview) =>
      preview
        ? `Would revoke the key that ends in ${lastFour} for good.`
        : `The key that ends in ${lastFour} is revoked.`,
  }),
];
