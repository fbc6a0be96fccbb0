import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { vi } from 'vitest'
import { freePort } from '../../../../tests/setup/free-port.js'

/** Why it cannot run here, or null. */
export const lacksPrometheus = spawnSync('prometheus', ['--version']).error
  ? 'prometheus is not installed (apt-get install prometheus)'
  : null

/** Debian's, with remote writes; can go away and come back with its data. */
export async function startPrometheus() {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'vps-prometheus-'))
  fs.writeFileSync(path.join(dir, 'prometheus.yml'), '')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null

  async function start(): Promise<void> {
    child = spawn(
      'prometheus',
      [
        `--config.file=${dir}/prometheus.yml`,
        `--storage.tsdb.path=${dir}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--web.enable-remote-write-receiver',
        '--log.level=error',
      ],
      { stdio: 'ignore' },
    )
    await vi.waitFor(async () => (await fetch(`${url}/-/ready`)).ok || Promise.reject(new Error('not ready')), 60_000)
  }

  async function stop(): Promise<void> {
    if (!child) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    child = null
  }

  await start()
  return {
    url,
    start,
    stop,
    async end() {
      await stop()
      fs.rmSync(dir, { recursive: true })
    },
  }
}
