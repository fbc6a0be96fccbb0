/**
 * `npm run agent-contract`: keeps what agents and the API say to each other (decision 0155), and refuses where that breaks
 * who runs already; `--check` compares. Another protocol number begins anew.
 */
import fs from 'node:fs'
import path from 'node:path'
import { protocolVersion } from '@vps/shared/agent'
import { broken, doors, keptDoors } from '../packages/api/src/testing/agent-doors.js'
import { writeOrCompare } from './generated-file.js'
import { root } from './run-command.js'

const file = `packages/api/src/http/agents/protocol-${protocolVersion}.txt`
const kept = path.join(root, file)
const now = doors()
const faults = fs.existsSync(kept) ? broken(keptDoors.parse(JSON.parse(fs.readFileSync(kept, 'utf8'))), now) : []

if (faults.length > 0) {
  console.error(['agents that run would not go on with this API:', ...faults].join('\n  '))
  process.exitCode = 1
} else writeOrCompare(file, `${JSON.stringify(now, null, 1)}\n`, 'npm run agent-contract')
