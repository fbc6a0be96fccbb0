import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root } from '../../scripts/run-command.js'
import type { Row } from './world/row.js'

const short = (value: number | undefined | null): string => {
  if (value === null || value === undefined || Number.isNaN(value)) return ''
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

const columns: [string, (row: Row) => string][] = [
  ['what', (row) => row.name],
  ['floor', (row) => row.floor],
  ['floor’s figure', (row) => (row.floorFigure === null ? '' : `${short(row.floorFigure)} ${row.unit}`)],
  ['product', (row) => `${short(row.product)} ${row.unit}`],
  ['ratio', (row) => short(row.ratio)],
  ['goal', (row) => row.goal],
  ['met', (row) => (row.goal === '–' ? '' : row.met ? 'yes' : '**no**')],
  ['p99 of floor, ms', (row) => short(row.p99FloorMs)],
  ['p99, ms', (row) => short(row.p99Ms)],
  ['CPU ms of API + PostgreSQL', (row) => (row.cpuMs ? `${short(row.cpuMs.api)} + ${short(row.cpuMs.postgres)}` : '')],
]

export function printRow(row: Row): void {
  const against = row.ratio === null ? '' : `${short(row.ratio)} of the floor's ${short(row.floorFigure)} ${row.unit}`
  const cpu = row.cpuMs ? `, CPU ${short(row.cpuMs.api)} + ${short(row.cpuMs.postgres)} ms` : ''
  const p99 = row.p99Ms === undefined ? '' : `, p99 ${short(row.p99Ms)} ms`
  const goal = row.goal === '–' ? '' : `  ${row.met ? 'meets' : 'MISSES'} ${row.goal}`
  console.log(`  ${row.name}: ${short(row.product)} ${row.unit} ${against}${p99}${cpu}${goal}`)
}

/** Missed goals are explained at its end, by hand. */
export function writeDocs(rows: readonly Row[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const table = [
    line(columns.map(([title]) => title)),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map(([, cell]) => cell(row)))),
  ]
  const machine = `${os.cpus().length} cores (${os.cpus()[0]?.model ?? 'unknown'}), ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node.js ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`
  const file = path.join(root, 'docs/performance.md')
  const notes = fs.existsSync(file) ? /\n## What misses[\s\S]*$/.exec(fs.readFileSync(file, 'utf8'))?.[0] : undefined
  fs.writeFileSync(
    file,
    `# Performance\n\nWritten by \`npm run bench -- --docs\` on ${machine}. Each row is the median of rounds in turns with its floor in the same
minutes; API, floor and load generator are processes of their own, PostgreSQL runs with fsync. Only the ratios carry over to another machine.
\n${table.join('\n')}\n${notes ?? ''}`,
  )
}
