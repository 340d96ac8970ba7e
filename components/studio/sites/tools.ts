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
      'Makes a web site that forms are shown on. Next: service_issue_sdk_key for its pages, service_create_form for its forms.',
    shows,
    // A preview's id would name nothing afterwards.
    preview: ({ id: _id, ...rest }) => ({ site: rest }),
    say: (made, preview) => (preview ? `Would make the site ${made.name}.` : said(made)),
  }),
  toolOf(listSites, {
    core: true,
    title: 'List sites',
    description: 'Lists web sites with the origins that may use their keys, disabled ones too.',
    answers: { items: 'sites' },
    say: ({ items }) => `${counted(items.length, 'site')}.`,
  }),
  toolOf(getSite, { core: false, title: 'Read a site', description: 'Reads one web site.', shows, say: said }),
  toolOf(updateSite, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Change or disable a site',
    description:
      'Changes what is given of a site and nothing else. `status: "disabled"` refuses its keys and serves its forms no more, at once; `"active"` brings them back.',
    shows,
    say: (changed, preview) => (preview ? `Would change the site: ${said(changed)}` : said(changed)),
  }),
];
