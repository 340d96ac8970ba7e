import { toolOf, type Tool } from '@steward/tools';
import type { CatalogueDeps } from '../deps.ts';
import { getBrandLogo } from './get.ts';
import { removeBrandLogo } from './remove.ts';
import { setBrandLogo } from './set.ts';

export const logoTools: readonly Tool<CatalogueDeps>[] = [
  toolOf(getBrandLogo, {
    core: false,
    rare: true,
    title: 'Read the logo of a brand',
    description: 'Answers the logo that letters and order pages of a brand show, or null.',
    say: ({ logo, fetching }) =>
      `${logo === null ? 'The brand has no logo.' : `The logo is at ${logo.url}.`}${
        fetching === null
          ? ''
          : fetching.status === 'pending'
            ? ' Another is being fetched.'
            : ` Another was not fetched: ${fetching.failure}.`
      }`,
  }),
  toolOf(setBrandLogo, {
    core: false,
    rare: true,
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },
    title: 'Set the logo of a brand',
    description:
      'Gives a brand the PNG or JPEG at an https address as its logo, for letters and order pages. It is fetched once, soon afterwards: ' +
      'service_get_brand_logo says in `fetching` what became of it. A file is uploaded to PUT /api/brands/{brandId}/logo.',
    say: ({ fetching }, preview) =>
      preview ? 'Would fetch the logo.' : fetching === null ? 'The brand has this logo.' : 'The logo is being fetched.',
  }),
  toolOf(removeBrandLogo, {
    core: false,
    rare: true,
    annotations: { destructiveHint: true, idempotentHint: true },
    title: 'Remove the logo of a brand',
    description: 'Takes the logo off a brand. Letters and order pages show the name alone.',
    say: (_answer, preview) =>
      preview ? 'Would take the logo off the brand.' : 'Letters and order pages show the name alone.',
  }),
];
