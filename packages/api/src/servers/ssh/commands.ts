import { SshFailure, withSsh, type Shell, type Target } from './client.js'

const asRoot = (target: Target, command: string) => (target.username === 'root' ? command : `sudo -n ${command}`)

async function must(shell: Shell, command: string, input?: string): Promise<string> {
  const { stdout, stderr, code } = await shell.run(command, input)
  // It may repeat what it was given.
  const words = (input === undefined ? stderr : stderr.replaceAll(passwordIn(input), '…')).trim()
  const name = command.split(' ')[0]
  if (code !== 0) throw new SshFailure('not-done', `${name} ended with ${code}${words && `: ${words}`}`)
  return stdout
}

/** Of a line for chpasswd. */
const passwordIn = (input: string) => input.slice(input.indexOf(':') + 1).trimEnd()

/** Proven by a login. Repeatable: where all old passwords are refused, the new one may be set. By standard input. */
export async function changePassword(
  target: Target,
  passwords: { old: readonly string[]; next: string },
): Promise<void> {
  try {
    await withSsh(target, passwords.old, (shell) =>
      must(shell, asRoot(target, 'chpasswd'), `${target.username}:${passwords.next}\n`),
    )
  } catch (error) {
    if (!(error instanceof SshFailure && error.kind === 'refused')) throw error
  }
  await withSsh(target, [passwords.next], () => Promise.resolve())
}

/** On a terminal; ours has none. */
export async function endSessions(target: Target, password: string): Promise<void> {
  const command = `sh -c 'for tty in $(who | cut -c1-200 | tr -s " " | cut -d" " -f2); do ${asRoot(target, 'pkill')} -KILL -t "$tty"; done; true'`
  await withSsh(target, [password], (shell) => must(shell, command))
}

/** The connection may break before the answer. */
export async function requestPower(
  target: Target,
  known: readonly string[],
  act: 'reboot' | 'poweroff',
): Promise<void> {
  // Once begun nobody hears whether sudo let it.
  const may = target.username === 'root' ? '' : `sudo -n -l ${act} >/dev/null || exit 1; `
  await withSsh(target, known, async (shell) => {
    await must(shell, `sh -c '${may}(sleep 1; ${asRoot(target, act)}) >/dev/null 2>&1 & true'`)
  })
}

export type Figures = {
  hostKey: string
  cpuUsage: number | null
  memoryUsage: number | null
  diskUsage: number | null
  uptimeSeconds: number | null
}

/** What a shell prints as it starts stands before it. */
const begin = '== figures =='
const measureCommand = `sh -c 'echo "${begin}"; cat /proc/loadavg; nproc; grep -E "^(MemTotal|MemAvailable):" /proc/meminfo; df -P / | tail -n 1; cut -d" " -f1 /proc/uptime'`

/** Null for what is not told. Who may log in and run nothing is of no use. */
export async function measure(target: Target, known: readonly string[]): Promise<Figures> {
  return withSsh(target, known, async (shell) => {
    const { stdout, stderr, code } = await shell.run(measureCommand)
    const [, told] = stdout.split(`${begin}\n`)
    if (told === undefined) throw new SshFailure('not-done', `no command runs (${code}): ${stderr}`)
    return { hostKey: shell.hostKey, ...parseFigures(told) }
  })
}

/** Percentages 0-100. Its tenant may have it say anything: what no row takes would lose the whole test. */
export function parseFigures(text: string): Omit<Figures, 'hostKey'> {
  const lines = text.split('\n')
  const load = Number(lines[0]?.split(' ')[0])
  const cores = Number(lines[1])
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1])
  const disk = Number(/(\d+)% \/$/m.exec(text)?.[1])
  const uptime = Number(/^(\d+\.\d+)$/m.exec(text)?.[1])
  const percent = (part: number) =>
    Number.isFinite(part) ? Math.round(Math.min(100, Math.max(0, part * 100)) * 10) / 10 : null
  return {
    cpuUsage: percent(load / cores),
    memoryUsage: percent(1 - kilobytes('MemAvailable') / kilobytes('MemTotal')),
    diskUsage: percent(disk / 100),
    uptimeSeconds: Number.isSafeInteger(Math.floor(uptime)) ? Math.floor(uptime) : null,
  }
}
