import type pg from 'pg';

/** Ends a connection at once, whether or not anybody is at its other end. */
export function drop(client: pg.ClientBase): void {
  (client as pg.ClientBase & { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
