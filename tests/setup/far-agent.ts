import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { root } from '../../scripts/run-command.js'

export type FarAgent = { end(): Promise<void> }

/** A real one on a simulated hypervisor, which asks the API at `url`. */
export function startFarAgent(url: string, enrolmentToken: string, stateDir: string): FarAgent {
  const main = path.join(root, 'packages/agent/src/main.ts')
  const agent: ChildProcess = spawn(process.execPath, ['--import', 'tsx', '--conditions=@vps/source', main], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      API_URL: url,
      ENROLMENT_TOKEN: enrolmentToken,
      HYPERVISOR: 'simulated',
      STATE_DIR: stateDir,
      SIMULATED_INSTALL_MS: '300',
      SIMULATED_POWER_MS: '100',
    },
  })
  const ended = once(agent, 'exit')
  return {
    async end() {
      agent.kill('SIGKILL')
      await ended
    },
  }
}
