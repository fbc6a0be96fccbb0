/**
 * `npm run bench`: the product against its engine, as ratios. `--quick` takes under two minutes, `--only reads,paying`
 * some cases, `machines` those on real libvirt, `--json FILE` keeps the rows, `--docs` writes docs/performance.md.
 */
import fs from 'node:fs'
import { parseArgs } from 'node:util'
import { reports, wake } from './cases/agents.js'
import { held } from './cases/held.js'
import { lists } from './cases/lists.js'
import { machines } from './cases/machines.js'
import { mix } from './cases/mix.js'
import { paying } from './cases/paying.js'
import { reads } from './cases/reads.js'
import { remote } from './cases/remote.js'
import { start } from './cases/start.js'
import type { Length } from './cases/turns.js'
import { weight } from './cases/weight.js'
import { printRow, writeDocs } from './print.js'
import type { Row } from './world/row.js'
import { makeWorld, type World } from './world/world.js'

const cases: Record<string, (world: World, length: Length) => Promise<Row[]>> = {
  reads,
  paying,
  reports,
  wake,
  remote,
  held,
  mix,
  start,
  lists,
  weight,
}
/** A minute and more each. */
const long = new Set(['lists', 'weight', 'start'])

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
})

async function main(): Promise<void> {
  const length = values.quick ? { rounds: 1, seconds: 2 } : { rounds: 3, seconds: 4 }
  if (positionals.includes('machines')) return keep(await onLibvirt(length))
  const wanted = values.only?.split(',') ?? Object.keys(cases).filter((name) => !values.quick || !long.has(name))
  const world = await makeWorld((line) => console.log(`· ${line}`))
  const rows: Row[] = []
  try {
    for (const name of wanted) {
      const run = cases[name]
      if (!run) throw new Error(`no case is called ${name}; there are ${Object.keys(cases).join(', ')}`)
      console.log(`\n── ${name}`)
      const measured = await run(world, length)
      measured.forEach(printRow)
      rows.push(...measured)
    }
  } finally {
    await world.close()
  }
  keep(rows)
  if (values.docs) writeDocs(rows)
}

async function onLibvirt(length: Length): Promise<Row[]> {
  console.log('── machines')
  const rows = await machines(length)
  rows.forEach(printRow)
  return rows
}

function keep(rows: Row[]): void {
  if (values.json) fs.writeFileSync(values.json, `${JSON.stringify({ rows: rows.map(jsonOf) }, null, 2)}\n`)
}

const jsonOf = ({ name, floorFigure, product, ratio, goal, met, ...more }: Row) => ({
  ...more,
  name,
  floor: floorFigure,
  floorName: more.floor,
  product,
  ratio,
  goal,
  met,
})

await main()
