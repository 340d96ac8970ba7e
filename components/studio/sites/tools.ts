import { counted } from '@steward/kernel';
import { toolOf, under, type Tool } from '@steward/tools';
import type { StudioDeps } from '../deps.ts';
import { createSite } from './create.ts';
import { getSite } from './get.ts';
import { listSites } from './list.ts';
import { site, type Site } from './site.ts';
import { updateSite } from './update.ts';

const said = ({ name: called, status, origins: pages }: Site): string =>
  `${called} is ${status}; ${pages.length === 0 ? 'no browser may use its keys' : `pages of ${pages.join(', ')} may use its keys`}.`;
const shows = under('site', site.answer);

export const siteTools: readonly Tool<StudioDeps>[] = [
  toolOf(createSite, {
    core: true,
    title: 'Create a site',
    description:
      'Creates a web site that shows forms. Next: service_issue_sdk_key for its pages, service_create_form for its forms.',
    shows,
    // A preview's id would name nothing afterwards.
    preview: ({ id: _id, ...rest }) => ({ site: rest }),
    say: (made, preview) => (preview ? `Would create the site ${made.name}.` : said(made)),
  }),
  toolOf(listSites, {
    core: true,
    title: 'List sites',
    description: 'Lists web sites with the origins that may use their keys, including disabled sites.',
    answers: { items: 'sites' },
    say: ({ items }) => `${counted(items.length, 'site')}.`,
  }),
  toolOf(getSite, {
    core: false,
    title: 'Read a site',
    description: 'Reads one web site: its origins, status, brand and limits.',
    shows,
    say: said,
  }),
  toolOf(updateSite, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Change or disable a site',
    description:
      'Changes only the given members of a site. `status: "disabled"` refuses its keys and hides its forms at once; ' +
      '`"active"` brings both back.',
    shows,
    say: (changed, preview) => (preview ? `Would change the site: ${said(changed)}` : said(changed)),
  }),
];
