import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { roles } from '@vps/shared/accounts'
import { hostCapacity } from '@vps/shared/agent.contract'
import { auditFieldNames } from '@vps/shared/audit-fields'
import { actionNames, actionPrefixes, subjectNames } from '@vps/shared/audit-words'
import { expect, test } from 'vitest'
import { root } from '../../scripts/run-command.js'

const folder = path.join(root, 'packages/api/src')

const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(path.join(folder, file), 'utf8'))
  .filter((source) => source.includes('audit/record.js'))
const written = (pattern: RegExp) => [
  ...new Set(sources.flatMap((source) => [...source.matchAll(pattern)].map(([, word = '']) => word))),
]

test('whatever is recorded has a Chinese name on the screen of the audit log, and so has what it was done to', () => {
  const subjects = { ...actionPrefixes, ...subjectNames }
  const acts = written(/'([a-z-]+\.[A-Za-z-]+)'/g).filter((word) => (word.split('.')[0] ?? '') in subjects)
  const granted = roles.map((role) => `account.grant-${role.toLowerCase()}`)
  expect(acts.length).toBeGreaterThan(50)
  expect([...acts, ...granted].filter((act) => !(act in actionNames))).toEqual([])
  const kinds = written(/subject(?: =|:) \{ kind: '([a-z-]+)'/g)
  expect(kinds.length).toBeGreaterThan(10)
  expect(kinds.filter((kind) => !(kind in subjectNames))).toEqual([])
})

test('what changed has a Chinese name, column by column where a whole row is recorded, and fact by fact', () => {
  const schema = readFileSync(path.join(root, 'database/schema.sql'), 'utf8')
  const columns = ['categories', 'server_groups', 'price_groups', 'images'].flatMap((table) => {
    const body = schema.split(`create table ${table} (`)[1]?.split(');')[0] ?? ''
    return [...body.matchAll(/^ {2}(?!constraint)(\w+) /gm)].map(([, name = '']) => name)
  })
  expect(columns.length).toBeGreaterThan(50)
  // Findings are told by their own sentences.
  const facts = sources
    .filter((source) => !source.includes('recordFinding'))
    .flatMap((source) => [...source.matchAll(/\bdetails(?: =|:) \{([^{}]*)\}/g)])
    .flatMap(([, inside = '']) => [...inside.matchAll(/(?:^|,)\s*(\w+)\s*(?=[:,]|$)/g)].map(([, name = '']) => name))
  expect(facts.length).toBeGreaterThan(40)
  const named = new Set(Object.keys(auditFieldNames))
  const told = Object.keys(hostCapacity.shape)
  const sides = ['before', 'after', 'Record', 'string']
  expect(
    [...new Set([...columns, ...facts, ...told])].filter((name) => !named.has(name) && !sides.includes(name)),
  ).toEqual([])
})
