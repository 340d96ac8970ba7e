import { refusalOf, type Viewer } from '@steward/access';
import type { Tool } from '../catalogue/tool.ts';
import { inView, type View } from '../catalogue/view.ts';

/** As much of a tool as decides who sees it, and where. */
export type Offered = Omit<Tool, 'title' | 'description' | 'input' | 'output' | 'annotations' | 'run'>;

/** Whether a caller sees a tool at an address, and so may call it there. */
export const visible = (tool: Offered, { view, ...viewer }: Viewer & { readonly view: View }): boolean =>
  (viewer.profile === undefined || viewer.surface !== 'public' || inView(tool, view)) &&
  refusalOf(tool, viewer) === undefined;
