import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { root } from '../../../scripts/run-command.js'
import { oneFile } from '../../setup/one-file.js'
import { boundRow, costRow, median, type Row } from '../world/row.js'
import type { Length } from './turns.js'

/** In milliseconds. */
export type MachineTimes = {
  agent: { running: number; proven: number; steps: Record<string, number> }[]
  hand: { running: number; proven: number }[]
  virtInstall: number[]
  /** With fifty simulated machines. */
  memoryMb: number
}

/** On real libvirt; needs root and what tests/vm needs. */
export async function machines({ rounds }: Length): Promise<Row[]> {
  const image = spawnSync(path.join(root, 'packages/agent/images/build.sh'), ['tiny'], { encoding: 'utf8' })
  if (image.status !== 0) throw new Error(`the guest's image could not be built: ${image.stderr}`)
  const agent = await oneFile('agent', 'main')
  const inside = path.join(import.meta.dirname, '../machines-inside.ts')
  const program = [process.execPath, '--import', 'tsx', '--conditions=@vps/source', inside, String(2 * rounds)]
  const done = spawnSync(path.join(root, 'tests/vm/enter.sh'), program, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, VM_TEST_IMAGE: image.stdout.trim(), VM_TEST_AGENT: agent.file },
  })
  agent.remove()
  if (done.status !== 0) throw new Error(`machines broke (${done.status})`)
  const times: MachineTimes = JSON.parse(done.stdout.trim().split('\n').at(-1) ?? '')
  console.log(`  steps of the agent: ${JSON.stringify(medians(times.agent.map(({ steps }) => steps)))}`)
  return rowsOf(times)
}

function rowsOf({ agent, hand, virtInstall, memoryMb }: MachineTimes): Row[] {
  const running = median(agent.map((one) => one.running))
  const byHand = median(hand.map((one) => one.running))
  const proven = median(agent.map((one) => one.proven))
  const boot = median(hand.map((one) => one.proven))
  return [
    costRow('job claimed → machine running', 'the same by hand', 'ms', 1.2, byHand, running),
    ...(virtInstall.length > 0
      ? [costRow('job claimed → machine running', 'virt-install', 'ms', 0.75, median(virtInstall), running)]
      : []),
    costRow('job claimed → proven login', 'the same by hand, and the login', 'ms', 1.1, boot, proven),
    boundRow('memory of the agent with 50 simulated machines', 'MB', 120, memoryMb),
  ]
}

function medians(all: readonly Record<string, number>[]): Record<string, number> {
  const names = Object.keys(all[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, median(all.map((one) => one[name] ?? Number.NaN))]))
}
