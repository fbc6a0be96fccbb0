import { connect } from 'node:net'
import { NodeSSH } from 'node-ssh'
import { fingerprintOf } from '../host-key.js'
import { type Access, HypervisorError, LoginRefused } from './hypervisor.js'

/** Under software emulation a guest computes its keys slowly. */
const loginLimitMs = 20_000

/** A port that only accepts is no guest that is up. */
export function readBanner(address: string, port: number, limitMs: number): Promise<number | null> {
  return new Promise((resolve) => {
    const began = performance.now()
    const socket = connect({ host: address, port })
    const end = (answer: number | null) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(() => end(null), limitMs)
    let text = ''
    socket.on('data', (data) => {
      text += data.toString('latin1')
      if (text.startsWith('SSH-')) end(Math.round(performance.now() - began))
      else if (text.length > 1024) end(null)
    })
    socket.on('error', () => end(null))
    socket.on('close', () => end(null))
  })
}

/** Another host key is not told the password. */
export async function logIn(access: Access, password: string, hostKey: string): Promise<void> {
  const ssh = new NodeSSH()
  try {
    await ssh.connect({
      host: access.address,
      port: access.port,
      username: access.username,
      password,
      readyTimeout: loginLimitMs,
      // The seeded kind: a guest must not offer another.
      algorithms: { serverHostKey: ['ssh-ed25519'] },
      hostVerifier: (key: Buffer) => fingerprintOf(key) === hostKey,
    })
    // Once connected, the library does not listen, and an unheard error ends the agent.
    ssh.connection?.on('error', () => {})
  } catch (error) {
    const level = error instanceof Error && 'level' in error ? error.level : null
    const text = error instanceof Error ? error.message : String(error)
    if (level === 'client-authentication') throw new LoginRefused(`the guest refused the password: ${text}`)
    throw new HypervisorError(`no SSH login: ${text}`, { cause: error })
  } finally {
    ssh.dispose()
  }
}
