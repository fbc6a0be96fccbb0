/**
 * `npm run counts`: what makes code hard to keep, each bounded by `scripts/counts/bounds.json`. `--check` fails above a
 * bound; without it bounds are lowered, never raised. `npm run counts -- casts` lists the places of one.
 */
import fs from 'node:fs'
import path from 'node:path'
import { countAll } from './counts/counts.js'
import { root } from './run-command.js'

const file = path.join(root, 'scripts/counts/bounds.json')
const bounds = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, number>
const counted = countAll()
const asked = process.argv[2] ?? ''

if (counted[asked]) console.log(counted[asked].join('\n'))
else {
  for (const [what, places] of Object.entries(counted)) {
    const bound = bounds[what] ?? 0
    const over = places.length > bound
    console.log(`${over ? '✗' : '✓'} ${what}: ${places.length}, at most ${bound}`)
    if (over) process.exitCode = 1
  }
  if (asked !== '--check') {
    const lowered = Object.entries(counted).map(([what, places]) => [
      what,
      Math.min(places.length, bounds[what] ?? places.length),
    ])
    fs.writeFileSync(file, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`)
  }
}
