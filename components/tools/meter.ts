import type { Surface } from '@steward/access';
import { Counter, Latency, type LatencySeries, type Metrics } from '@steward/kernel';

/** What the endpoint counts. Labels hold names of the catalogue and codes only, never a caller's words. */
export interface Meter {
  called(surface: Surface, tool: string, status: string, milliseconds: number): void;
  /** A member called what is not visible to them. */
  refused(surface: Surface): void;
  /** A caller named a tenant it does not belong to. */
  foreign(): void;
}

export function createMeter({ registry }: Metrics): Meter {
  const calls = new Latency<'surface' | 'tool' | 'status'>({
    name: 'steward_tool_call_seconds',
    help: 'Time from request to tool result, by tool and status.',
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'steward_tool_refusals_total',
    help: 'Calls of tools that the caller does not see.',
    labelNames: ['surface'],
    registers: [registry],
  });
  const strangers = new Counter({
    name: 'steward_tool_foreign_tenants_total',
    help: 'Requests that name a tenant to which their caller does not belong.',
    registers: [registry],
  });
  const known = {
    public: new Map<string, Map<string, LatencySeries>>(),
    internal: new Map<string, Map<string, LatencySeries>>(),
  };
  const seriesOf = (surface: Surface, tool: string, status: string): LatencySeries => {
    let ofTool = known[surface].get(tool);
    if (ofTool === undefined) known[surface].set(tool, (ofTool = new Map()));
    let series = ofTool.get(status);
    if (series === undefined) ofTool.set(status, (series = calls.series({ surface, tool, status })));
    return series;
  };
  return {
    called: (surface, tool, status, milliseconds) => seriesOf(surface, tool, status).observe(milliseconds / 1000),
    refused: (surface) => refusals.inc({ surface }),
    foreign: () => strangers.inc(),
  };
}
