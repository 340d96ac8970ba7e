import type { BusEvent } from '../consumer.ts';

/** CloudEvents 1.0, structured JSON, with the extensions of its registry that this bus uses. */
export interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  /** A URI reference: the component that published it. */
  readonly source: string;
  readonly type: string;
  readonly subject?: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** The tenant: events of one partition are in order. */
  readonly partitionkey: string;
  /** Order within the partition; compares as a string. */
  readonly sequence: string;
  readonly correlationid?: string;
  readonly causationid?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const cloudEventType = 'application/cloudevents+json; charset=UTF-8';

export function cloudEventOf(event: BusEvent): CloudEvent {
  return {
    specversion: '1.0',
    id: event.id,
    source: event.source,
    type: event.type,
    ...(event.subject === undefined ? {} : { subject: event.subject }),
    time: event.occurredAt,
    datacontenttype: 'application/json',
    partitionkey: event.tenant,
    sequence: event.sequence,
    ...(event.correlationId === undefined ? {} : { correlationid: event.correlationId }),
    ...(event.causationId === undefined ? {} : { causationid: event.causationId }),
    data: event.data,
  };
}
