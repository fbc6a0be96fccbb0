/** What agents and the API say to each other, as JSON schemas. */
import * as agent from '@vps/shared/agent.contract'
import { jobPayload } from '@vps/shared/jobs.contract'
import * as z from 'zod'
import { misfits, part, type Part } from './misfits.js'

const calls = {
  enrol: [agent.enrolInput, agent.enrolReply],
  claim: [agent.claimInput, agent.claimReply],
  beat: [agent.beatInput, agent.beatReply],
  finish: [agent.finishInput, agent.finishReply],
  report: [agent.reportInput, null],
  inventory: [agent.inventoryInput, agent.inventoryReply],
  connectionTested: [agent.connectionTestedInput, null],
  repositoryTested: [agent.repositoryTestedInput, null],
  /** Waits in its row, and is read by the next version. */
  queued: [jobPayload, null],
} as const

/** By name. */
export const keptDoors = z.record(z.string(), z.object({ call: part, reply: part.nullable() }))
export type Doors = z.infer<typeof keptDoors>

/** A field with a default need not be sent, and is always answered. Without what zod says of every number and form. */
export function schemaOf(contract: z.ZodType, io: 'input' | 'output'): Part {
  const schema = JSON.stringify(z.toJSONSchema(contract, { io, reused: 'ref', unrepresentable: 'any' }))
  return part.parse(
    JSON.parse(schema, (_, value) => {
      if (Math.abs(value) === Number.MAX_SAFE_INTEGER) return undefined
      if (ownPatterns.has(value?.format)) delete value.pattern
      return value
    }),
  )
}
const ownPatterns = new Set(['uuid', 'date-time', 'ipv4', 'ipv6', 'cidrv6'])

/** As this version has them. */
export const doors = (): Doors =>
  Object.fromEntries(
    Object.entries(calls).map(([name, [call, reply]]) => [
      name,
      { call: schemaOf(call, 'input'), reply: reply && schemaOf(reply, 'output') },
    ]),
  )

const payloadPath = 'claim reply.job.payload'

/** Why agents of the kept version, and jobs it left waiting, do not go on with this one's API. */
export function broken(kept: Doors, now: Doors): string[] {
  return Object.entries(kept).flatMap(([name, before]) => {
    const door = now[name]
    if (!door) return [`${name} is asked for, and is not there`]
    return [
      ...misfits({ sent: before.call, taken: door.call }, `${name} call`),
      ...(before.reply && door.reply
        ? misfits({ sent: door.reply, taken: before.reply, mayGrow: (at) => at === payloadPath }, `${name} reply`)
        : []),
    ]
  })
}
