export { route, type Answer, type Guard, type Route, type RouteInput, type RouteSpec } from './route.ts';
export { invalid, validator } from './validate.ts';
export { mountRoutes } from './mount.ts';
export { pageLimit, pageOf, pageQuery } from './page.ts';
export { versionNumber } from './version.ts';
export { openApiDocument, type OpenApiOptions } from './openapi.ts';
export { csvRow } from './csv.ts';
