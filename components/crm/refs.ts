import { z } from 'zod';

/** Ids of what others keep, by names such as `submission_id`. */
export type Refs = Readonly<Record<string, string>>;

/** Their names are ours: REST writes `submissionId`, tools `submission_id`. */
export const refs = z.object({}).catchall(z.string());

/** As REST writes names: `submissionId`. */
export const camelRefs = (stored: Refs): Refs =>
  Object.fromEntries(
    Object.entries(stored).map(([key, id]) => [
      key.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase()),
      id,
    ]),
  );
