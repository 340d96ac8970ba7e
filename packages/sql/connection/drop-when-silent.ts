import type pg from 'pg';
import { drop } from './drop.ts';

/** What is looked at of pg's client. Pinned to pg 8.23 (ADR 3). */
interface Waiting {
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: { readonly bytesRead: number; isPaused(): boolean } };
}

/**
 * Closes a connection if its server is silent and does not report, over another connection, that it is working. A statement of a
 * command may take an hour, so a time-out alone would be wrong.
 * @param silence milliseconds without any data before it asks
 */
export function dropWhenSilent(client: pg.Client, silence: number, isAtWork: () => Promise<boolean>): void {
  const waiting = client as unknown as Waiting;
  const { stream } = waiting.connection;
  let heard = stream.bytesRead;
  let asking = false;
  const isSilent = (): boolean => !waiting.readyForQuery && !stream.isPaused() && stream.bytesRead === heard;
  const look = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    if (isSilent() && !(await isAtWork()) && isSilent()) drop(client);
    heard = stream.bytesRead;
    asking = false;
  };
  const timer = setInterval(() => void look(), silence).unref();
  client.once('end', () => clearInterval(timer));
}
