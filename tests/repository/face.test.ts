import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/run-command.js'

const source = path.join(root, 'packages/api/src')
const product = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !/\.test\.ts$|^testing\//.test(name),
)

/** What files outside a folder import from it. */
function faceOf(folder: string): string[] {
  const imports = new RegExp(String.raw`import (?:type )?\{([^}]*)\} from '(?:\.{1,2}/)+${folder}/([^']*)\.js'`, 'g')
  const names = product
    .filter((file) => !file.startsWith(`${folder}/`))
    .flatMap((file) => [...readFileSync(path.join(source, file), 'utf8').matchAll(imports)])
    .flatMap(([, list, file]) =>
      list!
        .split(',')
        .map((name) => name.trim().replace(/^type /, ''))
        .filter(Boolean)
        .map((name) => `${file}: ${name}`),
    )
  return [...new Set(names)].toSorted()
}

test('servers shows at most 25 things to the other rooms', () => {
  const face = faceOf('servers')
  expect(face.length).toBeGreaterThan(10)
  expect(face.length, face.join('\n')).toBeLessThanOrEqual(25)
})
