import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';

const session_id = z.uuid();

/** In the log of each organization that the person belongs to. */
export const { grammar, event } = defineEvents('console', {
  recorded: {
    'console.session.started': payload({ session_id }),
    /** By a fresh login: it may decide until then. */
    'console.session.stepped_up': payload({ session_id, until: z.string() }),
    /** By its person, who was signed in there or elsewhere. */
    'console.session.ended': payload({ session_id }),
  },
  published: {},
});
