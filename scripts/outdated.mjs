// Once a week; exit code 1 where something is to be moved. held-back.json keeps packages at a version until another
// latest one appears, or on a line of majors.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'

const held = JSON.parse(fs.readFileSync('scripts/held-back.json', 'utf8'))
const found = ask(['outdated', '--json'])

let due = 0
for (const [name, entry] of Object.entries(found)) {
  const { current, latest } = [entry].flat()[0]
  // Another platform's package; its sibling tells.
  if (!current) continue
  const hold = held[name]
  const next = hold?.line ? newestOf(name, hold.line) : latest
  if (next === current || hold?.notYet === next) {
    console.log(`held   ${name.padEnd(28)} ${current.padEnd(10)} (latest ${latest}: ${hold.why})`)
    continue
  }
  due += 1
  console.log(`${stepOf(current, next).padEnd(6)} ${name.padEnd(28)} ${current.padEnd(10)} → ${next}`)
}
console.log(due === 0 ? 'nothing to move' : `${due} to move; then npm run check, which looks at the lock file, too`)
process.exitCode = due === 0 ? 0 : 1

function newestOf(name, line) {
  const versions = [ask(['view', `${name}@${line}`, 'version', '--json'])].flat()
  return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
}

function stepOf(current, next) {
  const [from, to] = [current.split('.'), next.split('.')]
  if (from[0] !== to[0]) return 'MAJOR'
  return from[1] === to[1] ? 'patch' : 'minor'
}

/** npm ends with 1 where something is outdated. */
function ask(args) {
  const { stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8', timeout: 300_000 })
  const answer = stdout.trim() ? JSON.parse(stdout) : {}
  if (!answer.error && (stdout.trim() || !stderr.includes('npm error'))) return answer
  console.error(`npm could not tell: ${answer.error?.summary ?? stderr}`)
  process.exit(2)
}
