/** Milliseconds since the epoch, UTC. Handed in, so that a test can move it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** RFC 3339, UTC, milliseconds, `Z`. */
export const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString();
