import { randomBytes } from 'node:crypto'
import { execa } from 'execa'
import { refuseLate } from '../../deadline.js'
import { HypervisorError } from '../hypervisor.js'
import { mostOutput, programEnv, type RunOptions, type Virsh, VirshError } from './run.js'

const mostIdle = 4
const idleMs = 60_000

/**
 * virsh by programs that stay: starting and connecting takes longer than most commands. Each answers one at a time, and
 * is left after a fault.
 */
export function virshSessions(uri: string, timeoutMs = 30_000): Virsh {
  const idle: Session[] = []
  const forget = (session: Session) => {
    const at = idle.indexOf(session)
    if (at >= 0) idle.splice(at, 1)
    session.end()
  }
  return async (args, options = {}) => {
    refuseLate()
    const line = options.input?.trimEnd() ?? args.map(quoted).join(' ')
    const session = idle.pop() ?? startSession(uri, forget)
    const said = await session.ask(line, args, { timeoutMs, ...options }).catch((error: unknown) => {
      // Perhaps the connection's fault: the others' are as old.
      for (const other of idle.splice(0)) other.end()
      throw error
    })
    if (session.works() && idle.length < mostIdle) {
      idle.push(session)
      session.rest()
    } else session.end()
    return said
  }
}

type Session = ReturnType<typeof startSession>

/** `onIdleEnd`: its libvirt went away, or it was long idle. */
function startSession(uri: string, onIdleEnd: (session: Session) => void) {
  const child = execa('virsh', ['-q', '-c', uri], {
    ...programEnv,
    stdin: 'pipe',
    buffer: false,
    reject: false,
    forceKillAfterDelay: false,
    killSignal: 'SIGKILL',
  })
  let asked: Asked | null = null
  let resting: NodeJS.Timeout | undefined
  let works = true

  child.stdout.setEncoding('utf8').on('data', (text: string) => asked?.hear('out', text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (asked) asked.hear('err', text)
    // Unasked it tells that libvirt went away.
    else if (works) onIdleEnd(session)
  })
  child.stdin.on('error', () => {})
  void child.then((result) => {
    works = false
    if (asked) asked.ended(result.originalMessage)
    else onIdleEnd(session)
  })

  const session = {
    works: () => works,
    end: () => {
      works = false
      clearTimeout(resting)
      child.kill()
    },
    rest: () => {
      resting = setTimeout(() => onIdleEnd(session), idleMs).unref()
    },
    async ask(line: string, args: readonly string[], { timeoutMs }: RunOptions): Promise<string> {
      clearTimeout(resting)
      asked = new Asked(args)
      const late = setTimeout(() => asked?.fail('did not end in time', true), timeoutMs)
      try {
        child.stdin.write(asked.lines(line))
        return await asked.answer
      } catch (error) {
        session.end()
        throw error
      } finally {
        clearTimeout(late)
        asked = null
      }
    },
  }
  return session
}

/**
 * One command between two marks. Not on a terminal virsh prints its prompt and the command, then the answer; errors
 * come on the other stream, between two marks as well: what a virsh says at its start, such as the loader's warning of
 * a library, is nobody's answer.
 */
class Asked {
  private readonly mark = randomBytes(6).toString('hex')
  private readonly heard = { out: '', err: '' }
  private settle: { resolve(said: string): void; reject(error: VirshError): void } | null = null
  readonly answer = new Promise<string>((resolve, reject) => (this.settle = { resolve, reject }))

  constructor(private readonly args: readonly string[]) {}

  lines(line: string): string {
    return `echo --err <${this.mark}\necho <${this.mark}\n${line}\necho --err >${this.mark}\necho >${this.mark}\n`
  }

  hear(from: 'out' | 'err', text: string): void {
    this.heard[from] += text
    const { out, err } = this.heard
    if (out.length + err.length > mostOutput) return this.fail('printed without end', false)
    const errEnd = err.indexOf(`error: >${this.mark}\n`)
    if (errEnd < 0 || !out.includes(`\n>${this.mark}`)) return
    const begin = `error: <${this.mark}\n`
    const wrong = err.slice(err.indexOf(begin) + begin.length, errEnd).trim()
    if (wrong) this.fail(wrong, false)
    else this.settle?.resolve(this.said(out))
  }

  ended(why = 'virsh ended'): void {
    this.fail(this.heard.err.trim() || why, false)
  }

  fail(said: string, timedOut: boolean): void {
    this.settle?.reject(new VirshError('virsh', this.args, said.slice(0, 2000), timedOut, null))
  }

  private said(out: string): string {
    const command = out.indexOf('\n', out.indexOf(`\n<${this.mark}`) + 1)
    const prompt = out.lastIndexOf(`virsh `, out.indexOf(`echo --err >${this.mark}`))
    return out.slice(command + 1, prompt).replace(/\n$/, '')
  }
}

/** As virsh reads it; nothing asked holds a quote. */
function quoted(argument: string): string {
  if (/['\n]/.test(argument)) throw new HypervisorError('an argument of virsh cannot hold a quote or a line')
  return /^[\w./:=,+-]+$/.test(argument) ? argument : `'${argument}'`
}
