// `npm ci` fails on other machines where the lock file lacks an optional (platform) package.
import fs from 'node:fs'

const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
const have = new Set(Object.keys(packages).map((path) => path.split('node_modules/').pop()))
const missing = Object.entries(packages).flatMap(([path, entry]) =>
  Object.keys(entry.optionalDependencies ?? {})
    .filter((name) => !have.has(name))
    .map((name) => `${name} <- ${path}`),
)
const addressed = Object.entries(packages).filter(([, entry]) => /^https?:/.test(entry.resolved ?? ''))
for (const line of missing) console.error(`missing from package-lock.json: ${line}`)
for (const [path] of addressed) console.error(`package-lock.json names a registry address: ${path}`)
process.exitCode = missing.length + addressed.length ? 1 : 0
