/** What pages of a brand say that buyers are led to before they buy, as the portal keeps it. */
const pages = ['terms', 'privacy', 'returns', 'shipping', 'faq'] as const;
type Page = (typeof pages)[number];

/** Their addresses. */
export type Links = Readonly<Partial<Record<Page, string>>>;

/** The same in the words of a protocol. @param types what it calls each */
export const linksIn =
  (types: Readonly<Record<Page, string>>) =>
  (links: Links): { readonly type: string; readonly url: string }[] =>
    pages.flatMap((page) => {
      const { [page]: url } = links;
      return url === undefined ? [] : [{ type: types[page], url }];
    });
