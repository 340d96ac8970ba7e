import { z } from 'zod';

/** Where a list of contacts goes on: when the last one was created, in microseconds since 1970, and its id. */
export interface Place {
  readonly at: string;
  readonly id: string;
}

/** Both, so that a list goes on where its last contact was merged or erased meanwhile. */
export const contactCursor = z
  .string()
  .regex(/^\d{1,18}\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, {
    error: 'Send back the cursor of an earlier page as it was',
  });

export const cursorOf = ({ at, id }: Place): string => `${at}.${id}`;

export function placeOf(cursor: string): Place {
  const [at = '', id = ''] = cursor.split('.');
  return { at, id };
}
