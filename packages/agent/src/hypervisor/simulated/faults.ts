import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import * as z from 'zod'

/**
 * From a JSON file (SIMULATED_FAULTS_FILE) at every act: `[{"verb": "start", "kind": "lie", "times": 1, "serverId":
 * "…"}]`; gone after `times`.
 *
 * away: `checkPresence` tells so as often, too · hang: never ends · fail: does nothing and says so · half: does half
 * and fails · lie: does nothing and says it did · lose: does it, but the answer is lost · undefine: the definition is
 * deleted before this inventory · killBefore, killAfter: the agent is killed at once
 */
const faultKinds = ['away', 'hang', 'fail', 'half', 'lie', 'lose', 'undefine', 'killBefore', 'killAfter'] as const
export type FaultKind = (typeof faultKinds)[number]

const faults = z.array(
  z.object({
    verb: z.string(),
    kind: z.enum(faultKinds),
    serverId: z.uuid().optional(),
    times: z.int().min(1).default(1),
  }),
)
export type Fault = z.input<typeof faults>[number]

/** Used up before it strikes: a killed agent is killed once. */
export function claimFault(file: string | null, verb: string, serverId: string): FaultKind | null {
  if (!file || !existsSync(file)) return null
  const all = faults.parse(JSON.parse(readFileSync(file, 'utf8')))
  const index = all.findIndex((one) => one.verb === verb && (one.serverId === undefined || one.serverId === serverId))
  const fault = all[index]
  if (!fault) return null
  fault.times -= 1
  writeFaults(
    file,
    all.filter((one) => one.times > 0),
  )
  return fault.kind
}

/** Whole or not at all. */
export function writeFaults(file: string, all: Fault[]): void {
  writeFileSync(`${file}.new`, JSON.stringify(all))
  renameSync(`${file}.new`, file)
}
