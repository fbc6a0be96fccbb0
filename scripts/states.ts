/** From shared's state tables; `--check` compares. */
import { jobMoves } from '@vps/shared/jobs'
import { orderMoves, orderStatusNames } from '@vps/shared/orders'
import { paymentMoves, paymentStatusNames } from '@vps/shared/payments'
import { writeOrCompare } from './generated-file.js'

type Move = { from: string; to: string; cause: string; by?: readonly string[] }
type Machine = { title: string; source: string; moves: readonly Move[]; names?: Record<string, string> }

const machines: Machine[] = [
  { title: 'Orders', source: 'orders.ts', moves: orderMoves, names: orderStatusNames },
  { title: 'Payments', source: 'payments.ts', moves: paymentMoves, names: paymentStatusNames },
  { title: 'Jobs', source: 'jobs.ts', moves: jobMoves },
]

writeOrCompare('docs/states.md', document(), 'npm run states')

function document(): string {
  const head =
    '# States\n\nGenerated from the tables in `packages/shared/src` by `npm run states`; every other move is refused.\n'
  return `${[head, ...machines.map(section)].join('\n')}`
}

function section({ title, source, moves, names }: Machine): string {
  const named = (state: string) => (names?.[state] ? `${state} (${names[state]})` : state)
  const rows = moves.map(
    (move) => `| ${named(move.from)} | ${named(move.to)} | ${move.by?.join(', ') ?? ''} | ${move.cause} |`,
  )
  return `## ${title} (\`${source}\`)\n\n| from | to | by | cause |\n|---|---|---|---|\n${rows.join('\n')}\n\n${diagram(moves)}\n`
}

function diagram(moves: readonly Move[]): string {
  return [
    '```mermaid',
    'stateDiagram-v2',
    ...moves.map((move) => `  ${move.from} --> ${move.to}: ${move.cause}`),
    '```',
  ].join('\n')
}
