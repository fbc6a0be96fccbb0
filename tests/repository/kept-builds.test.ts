import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildsKept, keptBuilds } from '../../packages/web/build/kept-builds.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kept-builds-'))
  writeFileSync(join(root, 'index.html'), '<script type="module" src="/main.js"></script>')
})
afterEach(() => rmSync(root, { recursive: true }))

/** Gives the one file that it made. */
async function buildOf(text: string): Promise<string> {
  const before = scripts()
  writeFileSync(join(root, 'main.js'), `document.title = '${text}'`)
  await build({ root, configFile: false, logLevel: 'silent', plugins: [keptBuilds()] })
  return scripts().find((name) => !before.includes(name)) ?? 'none'
}
const assets = () => join(root, 'dist/assets')
const scripts = () => (existsSync(assets()) ? readdirSync(assets()) : [])

test('a build over one that is being served keeps its script for who still asks for it, and of many only the last', async () => {
  const made: string[] = []
  for (let n = 0; n <= buildsKept; n++) {
    made.push(await buildOf(`build ${n}`))
    expect(scripts().toSorted()).toEqual(made.slice(-buildsKept).toSorted())
  }
  // The same once more is no further build.
  await build({ root, configFile: false, logLevel: 'silent', plugins: [keptBuilds()] })
  expect(scripts().toSorted()).toEqual(made.slice(-buildsKept).toSorted())
})
