export { route, type Answer, type Guard, type Route, type RouteInput, type RouteSpec } from './route.ts';
export { checkOf, invalid, noSuchField, validator } from './validate.ts';
export { mountRoutes } from './mount.ts';
export { pageCursor, pageLimit, pageOf, pageQuery } from './page.ts';
export { periodDay, requirePeriod } from './period.ts';
export { versionNumber } from './version.ts';
export { openApiDocument, type OpenApiOptions } from './openapi.ts';
export { csvRow, beginsFormula, partsOfCell } from './csv.ts';
export { csvRows, isUnclosed, topRows, unclosed, type CsvLine } from './csv-rows.ts';
export { inSnake } from './snake.ts';
export { snakeName, spellingOf } from './spelling.ts';
export {
  amount,
  count,
  day,
  field,
  flag,
  id,
  moment,
  moneyShape,
  nullable,
  oneOf,
  shape,
  text,
  texts,
  type Field,
  type Fixed,
  type Of,
  type Shape,
} from './shape.ts';
export { fits, line, remark, remarks } from './text.ts';
