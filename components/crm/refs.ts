/** Ids of what others keep, by names such as `submission_id`. */
export type Refs = Readonly<Record<string, string>>;

/** As REST writes names: `submissionId`. */
export const camelRefs = (refs: Refs): Refs =>
  Object.fromEntries(
    Object.entries(refs).map(([key, id]) => [
      key.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase()),
      id,
    ]),
  );
