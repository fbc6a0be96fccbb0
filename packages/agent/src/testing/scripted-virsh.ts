import { VirshError, type RunOptions, type Virsh } from '../hypervisor/virsh/run.js'

type Answer = string | Error | (() => string | Error)

/** With answers per command (its first word); `asked`: what it was asked. */
export class ScriptedVirsh {
  readonly asked: { args: readonly string[]; options: RunOptions }[] = []
  constructor(readonly answers: Record<string, Answer | Answer[]>) {}

  readonly virsh: Virsh = (args, options = {}) => {
    this.asked.push({ args, options })
    const command = args[0] ?? options.input?.split(' ', 1)[0] ?? ''
    const planned = this.answers[command]
    const next = Array.isArray(planned) ? (planned.length > 1 ? planned.shift() : planned[0]) : planned
    const said = typeof next === 'function' ? next() : next
    if (said === undefined) return Promise.reject(new Error(`virsh was not expected to be asked ${args.join(' ')}`))
    return said instanceof Error ? Promise.reject(said) : Promise.resolve(said)
  }

  /** In order, with arguments. */
  commands(): string[] {
    return this.asked.map(({ args, options }) => (args.length > 0 ? args.join(' ') : (options.input ?? '').trim()))
  }
}

/** On standard error, or by not ending. */
export const virshSays = (said: string) => new VirshError('virsh', [], said, false, 1)
export const virshHangs = () => new VirshError('virsh', [], 'did not end in time', true, null)
