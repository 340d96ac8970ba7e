import { answerProblem, problemOf, requestIdOf, type Door } from '@steward/kernel';
import { sseRetired } from './endpoint.ts';

/** The addresses of the SSE transport at an origin: gone, for every method and caller. */
export const retiredDoors = (origin: string): Door[] =>
  ['/sse', '/messages'].map((path) => ({
    base: `${origin}${path}`,
    handle: (request, response) => {
      request.resume();
      answerProblem(response, problemOf(sseRetired()), requestIdOf(request));
    },
  }));
