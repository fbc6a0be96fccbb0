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

const pages = tracked.filter((file) => file.endsWith('.md'))
/** Decisions speak of their own day; the specification's table has its own test. */
const documents = pages.filter((file) => !file.startsWith('docs/decisions/') && file !== 'docs/specification.md')

/** `shared/jobs.ts` is short for `packages/shared/src/jobs.ts`, and a file's name alone for the file. */
const places = [...tracked, ...tracked.map((file) => file.replace(/^packages\/(.*?)\/src\//, '$1/'))]
const isThere = (name: string) => places.some((file) => `/${file}`.endsWith(`/${name}`))
const isFolder = (name: string) => places.some((file) => `/${file}`.includes(`/${name.replace(/\/$/, '')}/`))

const sources = new Map(
  tracked
    .filter((file) => /\.(ts|tsx|mjs|cjs|sql|sh|css)$/.test(file) && file !== 'tests/repository/documents.test.ts')
    .map((file) => [file, read(file)]),
)
const code = [...sources.values()].join('\n')
/** What a document names and no code has is a thing of the past. */
const names = new Set(code.match(/[A-Za-z_]\w*/g))

/** What Node.js, Prometheus and Debian call their own. */
const ofOthers = ['NODE_EXTRA_CA_CERTS', 'HTTP_PROXY', 'out_of_order_time_window', 'libvirt-guests', 'arch-chroot']

const quotedIn = (file: string) => [...read(file).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
const allIn = (file: string, pattern: RegExp) => [...read(file).matchAll(pattern)].map(([, text = '']) => text)
const saying = (file: string, wrong: readonly string[]) => wrong.map((one) => `${file}: ${one}`)

/** Files with their ending, and names in camel case. */
function missingIn(file: string): string[] {
  const quoted = quotedIn(file)
  const files = quoted.filter((text) => /^\w[\w./-]+\.(ts|tsx|mjs|cjs|sql|sh)$/.test(text) && !text.includes('NNNN'))
  const calls = quoted.flatMap((text) => /^([a-z]+[A-Z]\w+)(\(.*\))?$/.exec(text)?.[1] ?? [])
  return saying(file, [...files.filter((name) => !isThere(name)), ...calls.filter((name) => !names.has(name))])
}

test('documents name no file and no function that is not there', () => {
  expect(documents.flatMap(missingIn)).toEqual([])
})

test('documents name no folder, column, kind or setting that is not there', () => {
  const missing = documents.flatMap((file) => {
    const quoted = quotedIn(file)
    const folders = quoted.filter((text) => /^[a-z][\w-]*(\/[\w.-]+)*\/?$/.test(text) && /\/(?!.*\.\w+$)/.test(text))
    const words = quoted.filter((text) => /^[a-z]+(-[a-z]+)+$/.test(text))
    const settings = allIn(file, /\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g)
    const columns = quoted.flatMap((text) => (/^[a-z_]+(\.[a-z_]+)?$/.test(text) ? text.split('.') : []))
    return saying(file, [
      ...folders.filter((name) => !isFolder(name) && !code.includes(name)),
      // A browser test's name stands without its ending.
      ...words.filter((name) => !code.includes(name) && !isThere(`${name}.spec.ts`)),
      ...[...settings, ...columns.filter((name) => name.includes('_'))].filter((name) => !names.has(name)),
    ])
  })
  expect(missing.filter((one) => !ofOthers.some((name) => one.endsWith(`: ${name}`)))).toEqual([])
})

test('documents call no script and lead to no page that is not there, and all pages are led to', () => {
  const scripts = new Set(Object.keys(JSON.parse(read('package.json')).scripts))
  const admin = read('packages/api/src/admin.ts')
  const wrong = pages.flatMap((file) => {
    const decided = file.startsWith('docs/decisions/')
    const called = decided ? [] : allIn(file, /npm run (?:-s )?([a-z][\w:-]*)/g)
    const links = allIn(file, /\]\(((?!https?:)[^)\s#]+)/g)
    return saying(file, [
      ...called.filter((name) => !scripts.has(name)),
      ...allIn(file, /npm run admin -- ([a-z][\w-]*)/g).filter((name) => !admin.includes(`case '${name}'`)),
      ...links.filter((to) => !existsSync(path.join(root, path.dirname(file), to))),
    ])
  })
  expect(wrong).toEqual([])
  const overview = read('ARCHITECTURE.md')
  const ofDocs = documents.filter((file) => /^(docs|migrations)\//.test(file))
  expect(ofDocs.filter((file) => !overview.includes(`\`${file}\``))).toEqual([])
})

test('a decision that is named is there', () => {
  const decided = new Set(tracked.flatMap((file) => /^docs\/decisions\/(\d{4})-/.exec(file)?.[1] ?? []))
  const texts = new Map([...sources, ...pages.map((file) => [file, read(file)] as const)])
  const named = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/\b[Dd]ecisions? (\d{4}(?:(?:, | and | to )\d{4})*)/g)].flatMap(([, list = '']) =>
      (list.match(/\d{4}/g) ?? []).map((number) => [file, number] as const),
    ),
  )
  expect(named.length).toBeGreaterThan(300)
  expect(named.filter(([, number]) => !decided.has(number))).toEqual([])
})

const screens = [...sources]
  .filter(([file]) => /^packages\/(web|shared)\/src\/.*\.tsx?$/.test(file) && !file.includes('.test.'))
  .map(([, text]) => text)
  .join('\n')

test('what documents quote in Chinese is what the screens say', () => {
  // One tells what screens said before, the other's head who the product is for.
  const quoting = documents.filter((file) => file !== 'docs/judged.md')
  const body = (file: string) => read(file).slice(file === 'README.md' ? read(file).indexOf('\n## ') : 0)
  const quoted = quoting.flatMap((file) =>
    [...body(file).matchAll(/\p{Script=Han}[\p{Script=Han}，]*/gu)].map(([text]) => [file, text] as const),
  )
  expect(quoted.length).toBeGreaterThan(100)
  expect(quoted.filter(([, text]) => !screens.includes(text))).toEqual([])
})

test('what the glossary says is on screen is what the screens say', () => {
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
