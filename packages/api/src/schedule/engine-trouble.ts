import type { Deps } from '../deps.js'
import { tellOfProcess } from '../findings/of-process.js'

/** An engine may be restarted. */
const patienceMs = 60_000
const reasons = { away: '没有可用的答复', refused: '拒绝写入' }

/** An engine that takes none of this process's samples for a minute becomes a finding, until it takes some. */
export async function tellEngineTrouble(deps: Deps): Promise<void> {
  const trouble = deps.metricEngine?.trouble() ?? null
  const lasts = trouble !== null && deps.clock().getTime() - trouble.since.getTime() >= patienceMs
  const details = lasts ? { reason: reasons[trouble.kind], dropped: trouble.dropped } : null
  await tellOfProcess(deps, 'metrics-away', details, deps.now())
}
