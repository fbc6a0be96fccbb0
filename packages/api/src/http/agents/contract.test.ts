import { readFileSync } from 'node:fs'
import path from 'node:path'
import { claimReply, inventoryReply, reportInput } from '@vps/shared/agent.contract'
import { protocolVersion } from '@vps/shared/agent'
import { jobPayload } from '@vps/shared/jobs.contract'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { broken, doors, keptDoors, schemaOf } from '../../testing/agent-doors.js'

test('agents that run go on with this API, and it with the jobs that wait', () => {
  const kept = readFileSync(path.join(import.meta.dirname, `protocol-${protocolVersion}.txt`), 'utf8')
  expect(broken(keptDoors.parse(JSON.parse(kept)), doors())).toEqual([])
})

/** What is said where one call's contract becomes another. */
const whenTaken = (before: z.ZodType, after: z.ZodType) =>
  broken(
    { report: { call: schemaOf(before, 'input'), reply: null } },
    { report: { call: schemaOf(after, 'input'), reply: null } },
  )
const whenAnswered = (before: z.ZodType, after: z.ZodType, name = 'inventory') => {
  const call = schemaOf(z.object({}), 'input')
  return broken(
    { [name]: { call, reply: schemaOf(before, 'output') } },
    { [name]: { call, reply: schemaOf(after, 'output') } },
  )
}

const [start, stop] = [
  z.object({ kind: z.literal('start') }),
  z.object({ kind: z.literal('stop'), force: z.boolean() }),
]
const acts = z.discriminatedUnion('kind', [start, stop])

test.each([
  [
    'a field more that must be told',
    z.object({}),
    z.object({ at: z.string() }),
    ['report call.at is needed, and not always sent'],
  ],
  ['one that need not', z.object({}), z.object({ at: z.string().optional(), n: z.int().default(0) }), []],
  ['one that is asked for no more', z.object({ at: z.string() }), z.object({}), []],
  ['a word less', z.enum(['on', 'off']), z.enum(['on']), ['report call: "off" is not taken']],
  ['a word more', z.enum(['on']), z.enum(['on', 'off']), []],
  ['no null any more', z.string().nullable(), z.string(), ['report call: null is not taken']],
  ['a shorter text', z.string().max(9), z.string().max(8), ['report call: its maxLength is narrower']],
  ['a form', z.string(), z.uuid(), ['report call: its format is narrower']],
  ['whole numbers for any', z.number(), z.int(), ['report call: number is not taken']],
  ['any number for whole ones', z.int(), z.number(), []],
  ['inside a list', z.array(z.int()), z.array(z.int().min(1)), ['report call[]: its minimum is narrower']],
  [
    'inside a record',
    z.record(z.string(), z.int()),
    z.record(z.string(), z.string()),
    ['report call{}: integer is not taken'],
  ],
  ['a kind less', acts, start, ['report call: "stop" is not taken']],
  [
    'more of one kind',
    acts,
    z.discriminatedUnion('kind', [start, stop.extend({ by: z.string() })]),
    ['report call.by is needed, and not always sent'],
  ],
])('an agent of before is not understood any more where there is %s', (_, before, after, said) => {
  expect(whenTaken(before, after)).toEqual(said)
})

test('an answer has all that agents of before read in it, and nothing they cannot read but further kinds of jobs', () => {
  expect(whenAnswered(inventoryReply, inventoryReply.omit({ networks: true }))).toEqual([
    'inventory reply.networks is needed, and not always sent',
  ])
  expect(whenAnswered(inventoryReply, inventoryReply.extend({ more: z.string() }))).toEqual([])
  const withJobs = (payload: z.ZodType) =>
    z.object({ job: claimReply.shape.job.unwrap().extend({ payload }).nullable() })
  expect(whenAnswered(withJobs(acts), withJobs(acts), 'claim')).toEqual([])
  expect(whenAnswered(withJobs(start), withJobs(acts), 'claim')).toEqual([])
  expect(whenAnswered(withJobs(acts), withJobs(z.union([start, stop.partial({ force: true })])), 'claim')).toEqual([
    'claim reply.job.payload.force is needed, and not always sent',
  ])
})

test('the whole contracts are held: a part is missed wherever it was', () => {
  const asked = reportInput.shape.domains.unwrap()
  expect(whenTaken(reportInput, reportInput.extend({ domains: z.array(asked.omit({ power: true })).max(10) }))).toEqual(
    ['report call.domains: its maxItems is narrower'],
  )
  expect(whenTaken(jobPayload, acts)).toContain('report call: "install" is not taken')
})
