import { Counter, Gauge, Histogram, type Metrics } from '@steward/kernel';
import type { Report } from './background.ts';
import { endOf } from '../calendar.ts';

/** Sealing in numbers. */
export function sealingMetrics({ registry }: Pick<Metrics, 'registry'>): { readonly report: (report: Report) => void } {
  const registers = [registry];
  const unsealed = new Gauge({
    name: 'steward_audit_unsealed_days',
    help: 'Days that are over and not sealed, of the tenant (or the platform) that is furthest behind.',
    registers,
  });
  const refused = new Gauge({
    name: 'steward_audit_unsealable_tenants',
    help: 'Tenants whose day could not be sealed: their chain is broken, or the archive holds something else.',
    registers,
  });
  const lastDay = new Gauge({
    name: 'steward_audit_last_sealed_day_timestamp_seconds',
    help: 'End of the last UTC day that is sealed for every tenant; 0 before the first.',
    registers,
  });
  const days = new Counter({
    name: 'steward_audit_sealed_days_total',
    help: 'Days sealed by this process, of tenants and of the platform.',
    labelNames: ['of'],
    registers,
  });
  const seconds = new Histogram({
    name: 'steward_audit_seal_seconds',
    help: 'Time of one run of the sealer.',
    buckets: [0.1, 0.5, 2.5, 10, 60, 300, 1800],
    registers,
  });
  return {
    report: ({ unsealedDays, refusedTenants, lastDay: day, run }) => {
      unsealed.set(unsealedDays);
      if (refusedTenants !== undefined) refused.set(refusedTenants);
      if (day !== undefined) lastDay.set(endOf(day) / 1000);
      if (run === undefined) return;
      seconds.observe(run.seconds);
      days.inc({ of: 'tenant' }, run.outcome.days);
      days.inc({ of: 'platform' }, run.outcome.platformDays);
    },
  };
}
