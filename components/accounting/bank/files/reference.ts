/** What SEPA and SWIFT write where the payer gave no reference; the second as some banks cut it. */
const none = new Set(['notprovided', 'notprovide', 'nonref']);

/** The reference that a file gives, if it is one. */
export const referenceIn = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= 20 && none.has(text.replaceAll(/[\s_-]/g, '').toLowerCase()) ? undefined : text;
