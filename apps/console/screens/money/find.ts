import { graph } from '../../data/graph.ts';
import type { Finder } from '../../shell/commands.ts';
import { numberIn } from './number.ts';

interface Found {
  readonly id: string;
  readonly number: string | null;
  readonly partyName: string;
}

/** Documents by their whole number, as people copy it: `INV-00042`. */
export const findDocuments: Finder = {
  id: 'documents',
  find: async (text, tenant, signal) => {
    const asked = numberIn(text);
    if (asked?.kind === undefined) return [];
    const { documents } = await graph<{ readonly documents: { readonly items: readonly Found[] } }>(
      tenant,
      'money-documents',
      { ...asked },
      signal,
    );
    return documents.items.map(({ id, number: of, partyName }) => ({
      id: `document ${id}`,
      label: of ?? asked.number,
      hint: partyName,
      to: `/money/documents/${id}`,
    }));
  },
};
