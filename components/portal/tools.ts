import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import { listBrands } from './brands/list.ts';
import type { PortalPorts } from './door.ts';
import { updateOrganization } from './organizations/update.ts';

export const portalTools: readonly Tool<Pick<PortalPorts, 'identity'>>[] = [
  toolOf(listBrands, {
    core: true,
    annotations: { idempotentHint: true },
    title: 'List brands',
    description: 'Lists the brands of the organization. One of them is the default.',
    answers: { items: 'brands' },
    say: ({ items }) => `${counted(items.length, 'brand')}.`,
  }),
  toolOf(updateOrganization, {
    core: true,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Update the organization',
    description:
      'Renames the organization or changes its persona, at once. You can change it back: the answer shows the values ' +
      'before and after.',
    say: ({ before, after }, preview) =>
      preview
        ? `Would change ${before.name} to ${after.name}, persona ${after.persona}.`
        : `${after.name} is at version ${after.version}.`,
  }),
];
