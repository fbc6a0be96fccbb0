import { createHash } from 'node:crypto'
import type { NodeSSH } from 'node-ssh'
import type { AuthenticationType } from 'ssh2'

/** `hostKey`: the fingerprint first seen, or null. */
export type Target = { host: string; port: number; username: string; hostKey: string | null }

export type Shell = {
  hostKey: string
  /** Input by standard input, never in the command. */
  run(command: string, input?: string): Promise<{ stdout: string; stderr: string; code: number | null }>
}

/** When refused, another password may be set already. */
export class SshFailure extends Error {
  override name = 'SshFailure'
  /** `not-done`: logged in, and the command failed. */
  readonly kind: 'unreachable' | 'refused' | 'changed-host-key' | 'not-done'
  constructor(kind: SshFailure['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

const loginMs = 10_000
const commandMs = 20_000

/**
 * With the first password accepted; a changed host key is refused before any is sent. Never in a transaction. Throws
 * SshFailure.
 */
export async function withSsh<T>(
  target: Target,
  passwords: readonly string[],
  work: (shell: Shell) => Promise<T>,
): Promise<T> {
  let refused = new SshFailure('refused', 'no password is known')
  for (const password of passwords) {
    try {
      return await logIn(target, password, work)
    } catch (error) {
      if (!(error instanceof SshFailure && error.kind === 'refused')) throw error
      refused = error
    }
  }
  throw refused
}

async function logIn<T>(target: Target, password: string, work: (shell: Shell) => Promise<T>): Promise<T> {
  const { NodeSSH } = await import('node-ssh') // with the first dedicated server
  const ssh = new NodeSSH()
  let hostKey: string | null = null
  try {
    await ssh.connect({
      host: target.host,
      port: target.port,
      username: target.username,
      password,
      authHandler: byPassword(),
      tryKeyboard: true,
      onKeyboardInteractive: (_name, _instructions, _language, prompts, finish) =>
        finish(prompts.map(({ echo }) => (echo ? '' : password))),
      readyTimeout: loginMs,
      hostVerifier: (key: Buffer) => {
        hostKey = createHash('sha256').update(key).digest('base64')
        return target.hostKey === null || target.hostKey === hostKey
      },
    })
  } catch (error) {
    ssh.dispose()
    throw failureOf(error, target.hostKey !== null && hostKey !== null && hostKey !== target.hostKey)
  }
  const broken = breakOf(ssh)
  try {
    return await Promise.race([
      work({ hostKey: hostKey ?? '', run: (command, input) => run(ssh, command, input) }),
      broken,
    ])
  } finally {
    ssh.dispose()
  }
}

/** In one way that the machine offers, asked for them first: it may count each try against us. */
function byPassword() {
  let isTried = false
  return (offered: AuthenticationType[] | null) => {
    if (offered === null) return 'none'
    const way = isTried ? undefined : ways.find((one) => offered.includes(one))
    isTried = true
    return way ?? false
  }
}

const ways = ['password', 'keyboard-interactive'] as const

/** Once connected, the library does not listen, and an unheard error ends the process. */
function breakOf(ssh: NodeSSH): Promise<never> {
  const broken = new Promise<never>((_resolve, reject) => {
    ssh.connection?.on('error', (error: unknown) => reject(failureOf(error, false)))
  })
  broken.catch(() => {})
  return broken
}

/** Its tenant is root there, and may have it say anything, endlessly. */
const mostBytes = 1024 ** 2

async function run(ssh: NodeSSH, command: string, input?: string) {
  let timer: NodeJS.Timeout | undefined
  let heardBytes = 0
  let refuse: (why: SshFailure) => void = () => {}
  const tooMuch = new Promise<never>((_resolve, reject) => (refuse = reject))
  const hear = (chunk: Buffer) => {
    heardBytes += chunk.length
    if (heardBytes > mostBytes) refuse(new SshFailure('not-done', 'the machine answers without end'))
  }
  const heard = { onStdout: hear, onStderr: hear }
  const finished = ssh.execCommand(command, input === undefined ? heard : { ...heard, stdin: input })
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new SshFailure('not-done', `no end within ${commandMs / 1000} s`)), commandMs)
  })
  try {
    const { stdout, stderr, code } = await Promise.race([finished, late, tooMuch])
    return { stdout: stdout.slice(0, 64 * 1024), stderr: stderr.slice(0, 1024), code }
  } finally {
    clearTimeout(timer)
  }
}

function failureOf(error: unknown, changedKey: boolean): SshFailure {
  const text = error instanceof Error ? error.message : String(error)
  if (changedKey) return new SshFailure('changed-host-key', 'the machine shows another host key')
  const level = error instanceof Error && 'level' in error ? error.level : null
  return new SshFailure(level === 'client-authentication' ? 'refused' : 'unreachable', text)
}
