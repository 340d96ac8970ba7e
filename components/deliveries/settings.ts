import { ConfigError, integer, oneOf, settings, text } from '@steward/kernel';

export interface DeliveriesSettings {
  readonly webhooks: {
    /** Of https addresses that are sent to. */
    readonly ports: readonly number[];
    /** Whether this machine itself may be sent to, by http as well. */
    readonly toLoopback: boolean;
    /** Whether the official suite of UCP is told of its orders: it listens on this machine, and only now and then. Production refuses it. */
    readonly suite: boolean;
    /** Milliseconds that an endpoint has to answer. */
    readonly deadline: number;
    readonly streamsPerTenant: number;
    /** In a process. */
    readonly streams: number;
  };
}

const variables = {
  WEBHOOK_PORTS: {
    default: '443',
    says: 'Ports of the https addresses that webhooks may be sent to, separated by commas.',
  },
  WEBHOOKS_TO_LOOPBACK: {
    default: '',
    says: '`allow` lets webhooks be sent to this machine itself, at any port and by http too, for development and tests. Refused with NODE_ENV=production.',
  },
  WEBHOOK_SECONDS: {
    default: '10',
    says: 'Seconds that the receiver of a webhook has to answer, 1 to 20.',
  },
  EVENT_STREAMS_PER_TENANT: {
    default: '20',
    says:
      'Streams of events (`GET /api/events/stream`) that a tenant may have open in a process, at least 4. One person or agent has a quarter of them at most, ' +
      'and all who listen through a client that is none of `APPROVER_CLIENTS`, as agents do, half together.',
  },
  EVENT_STREAMS: {
    default: '500',
    says:
      'Streams of events that a process keeps open. The fewer are left, the fewer a tenant may open: an eighth of what is left, and 4 in any case, so that ' +
      'busy tenants leave room for others.',
  },
} as const;

export const deliveriesSettings = settings(variables, (env, config): DeliveriesSettings => {
  const loopback = text(env, 'WEBHOOKS_TO_LOOPBACK');
  const toLoopback = loopback !== '' && oneOf('WEBHOOKS_TO_LOOPBACK', loopback, ['allow']) === 'allow';
  if (toLoopback && config.production)
    throw new ConfigError(
      'WEBHOOKS_TO_LOOPBACK=allow lets every tenant reach what listens on this machine. Unset it where NODE_ENV=production.',
    );
  const suite = env.env['UCP_CONFORMANCE'] === '1';
  return {
    webhooks: {
      ports: portsOf(text(env, 'WEBHOOK_PORTS')),
      toLoopback: toLoopback || suite,
      suite,
      deadline: integer(env, 'WEBHOOK_SECONDS', 1, 20) * 1_000,
      streamsPerTenant: integer(env, 'EVENT_STREAMS_PER_TENANT', 4, 10_000),
      streams: integer(env, 'EVENT_STREAMS', 1, 100_000),
    },
  };
});

function portsOf(list: string): number[] {
  const ports = list.split(',').map((one) => one.trim());
  if (
    ports.length > 100 ||
    !ports.every((one) => /^[0-9]{1,5}$/.test(one) && Number(one) >= 1 && Number(one) <= 65_535)
  )
    throw new ConfigError(
      `WEBHOOK_PORTS must be ports from 1 to 65535, separated by commas, not ${JSON.stringify(list)}.`,
    );
  return ports.map(Number);
}
