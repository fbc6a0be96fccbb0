import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/run-command.js'

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
  .trim()
  .split('\n')
  .filter((file) => existsSync(path.join(root, file)))
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** Decisions speak of their own day; the specification's table has its own test. */
const documents = tracked.filter(
  (file) => file.endsWith('.md') && !file.startsWith('docs/decisions/') && file !== 'docs/specification.md',
)

/** `shared/jobs.ts` is short for `packages/shared/src/jobs.ts`, and a file's name alone for the file. */
const short = tracked.map((file) => `/${file.replace(/^packages\/(.*?)\/src\//, '$1/')}`)
const isThere = (name: string) =>
  [...short, ...tracked.map((file) => `/${file}`)].some((file) => file.endsWith(`/${name}`))

/** What a document names and no code has is a thing of the past. */
const names = new Set(
  tracked
    .filter((file) => /\.(ts|tsx|mjs|cjs|sql)$/.test(file))
    .flatMap((file) => read(file).match(/[A-Za-z_]\w*/g) ?? []),
)

/** Files with their ending, and names in camel case. */
function missingIn(file: string): string[] {
  const quoted = [...read(file).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
  const files = quoted.filter((text) => /^\w[\w./-]+\.(ts|tsx|mjs|cjs|sql|sh)$/.test(text) && !text.includes('NNNN'))
  const calls = quoted.flatMap((text) => /^([a-z]+[A-Z]\w+)(\(.*\))?$/.exec(text)?.[1] ?? [])
  return [...files.filter((name) => !isThere(name)), ...calls.filter((name) => !names.has(name))].map(
    (name) => `${file}: ${name}`,
  )
}

test('documents name no file and no function that is not there', () => {
  expect(documents.flatMap(missingIn)).toEqual([])
})

test('what the glossary says is on screen is what the screens say', () => {
  const screens = tracked
    .filter((file) => /^packages\/(web|shared)\/src\/.*\.tsx?$/.test(file) && !file.includes('.test.'))
    .map(read)
    .join('\n')
  const rows = read('docs/glossary.md')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const words = rows.flatMap(([, word = '', , , shown = '']) =>
    shown.split(/[，、, ]+/).map((one) => [word, one] as const),
  )
  const wrong = words.filter(([, one]) => /\p{Script=Han}/u.test(one) && !screens.includes(one))
  expect(words.length).toBeGreaterThan(50)
  expect(wrong).toEqual([])
})
