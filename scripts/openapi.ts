/** Writes the REST wire's description next to the rows that serve it; `--check` compares. */
import { openApiDocument } from '../packages/api/src/http/rest/openapi.js'
import { writeOrCompare } from './generated-file.js'

writeOrCompare(
  'packages/api/src/http/rest/openapi.json',
  `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  'npm run openapi',
)
