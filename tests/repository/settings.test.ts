import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/run-command.js'

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

type Setting = { name: string; fallback: string | undefined }

/** What a program reads, with the default that is written out there. */
function readBy(file: string): Setting[] {
  const source = read(file)
  const [schema = ''] = source.slice(source.indexOf('const environment = ')).split('\n\n')
  return schema.split(/\n\s*(?=[A-Z][A-Z_]+:)/).flatMap((text) => {
    const name = /^([A-Z][A-Z_]+):/.exec(text)?.[1]
    const [, word, number] = /\.default\((?:'([^']+)'|([\d_]+))\)/.exec(text) ?? []
    const fallback = word ?? number ?? /count\(([\d_]+),/.exec(text)?.[1]
    return name ? [{ name, fallback: fallback?.replaceAll('_', '') }] : []
  })
}

/** Of each variable in a page's tables the cell with its default, or of several in a row theirs. */
function toldIn(page: string): Map<string, string> {
  const rows = read(page)
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return new Map(
    rows.flatMap(([, first = '', fallback = '']) =>
      [...first.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => [name, fallback] as const),
    ),
  )
}

/** Of the gateway before, as those of the gateway; what tells tests and production apart, and PostgreSQL's own. */
const toldInWords = /^(EPAY_FORMER_\w+|NODE_ENV|PGOPTIONS)$/

test.each([
  { program: 'packages/api/src/config.ts', page: 'README.md', least: 30 },
  { program: 'packages/agent/src/config.ts', page: 'docs/agent.md', least: 30 },
])('$page tells each setting that $program reads, with its default', ({ program, page, least }) => {
  const settings = readBy(program)
  const told = toldIn(page)
  expect(settings.length).toBeGreaterThan(least)
  expect(settings.filter(({ name }) => !told.has(name) && !toldInWords.test(name))).toEqual([])
  const wrong = settings.filter(({ name, fallback }) => {
    const cell = told.get(name)
    return (
      cell !== undefined &&
      fallback !== undefined &&
      !cell
        .replaceAll('`', '')
        .split(/[ ,;]+/)
        .includes(fallback)
    )
  })
  expect(settings.filter(({ fallback }) => fallback !== undefined).length).toBeGreaterThan(10)
  expect(wrong).toEqual([])
})

test('no page tells a setting that no program reads', () => {
  const programs = ['packages/api/src/config.ts', 'packages/agent/src/config.ts', 'scripts/start/settings.ts']
  const all = programs.map(read).join('\n')
  const told = [...toldIn('README.md').keys(), ...toldIn('docs/agent.md').keys()]
  expect(told.length).toBeGreaterThan(50)
  expect(told.filter((name) => !new RegExp(String.raw`\b${name}\b`).test(all))).toEqual([])
})

test('docs/agent.md tells what lies in STATE_DIR', () => {
  const folder = path.join(root, 'packages/agent/src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /(?<!\.test)\.ts$/.test(name) && !name.startsWith('testing/'),
  )
  const kept = files.flatMap((file) =>
    [
      ...readFileSync(path.join(folder, file), 'utf8').matchAll(/(?:join|resolve)\((?:\w+\.)*stateDir, '([\w.-]+)'/g),
    ].map(([, name = '']) => name),
  )
  expect(kept.length).toBeGreaterThan(8)
  const page = read('docs/agent.md')
  expect(kept.filter((name) => !page.includes(`\`${name}\``) && !page.includes(`\`${name}/\``))).toEqual([])
})
