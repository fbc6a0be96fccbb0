/** The form of a reinstall: what it starts with and what is still wrong with it. Console and dashboard both use it. */
import type { OsOption } from '@vps/shared/catalogue.contract'
import { generatePassword, machinePasswordFault } from '@vps/shared/password'
import { text } from '@vps/shared/text'
import { randomBelow } from '../api/random'

export interface ReinstallDraft {
  osName: string | null
  osVersion: string | null
  rootPassword: string
  sshPort: string
  sshKeyIds: string[]
}

export interface ReinstallTarget {
  serverId: string
  serverName: string
  ipAddress: string | null
  osName: string | null
  osVersion: string | null
  sshPort: number
}

/** The current system where it is still offered, otherwise the first one in its last version. */
export function startReinstall(target: ReinstallTarget, options: OsOption[]): ReinstallDraft {
  const current = options.find(
    (option) => option.name === target.osName && option.versions.includes(target.osVersion ?? ''),
  )
  const first = options[0]
  return {
    osName: current?.name ?? first?.name ?? null,
    osVersion: current ? target.osVersion : (first?.versions.at(-1) ?? null),
    rootPassword: makeRootPassword(),
    sshPort: String(target.sshPort),
    sshKeyIds: [],
  }
}

export const makeRootPassword = () => generatePassword(randomBelow)

export const makeSshPort = () => String(1024 + randomBelow(65535 - 1024 + 1))

/** Field → message; a blank port keeps the server's own. */
export function reinstallFaults(draft: ReinstallDraft): Partial<Record<'os' | 'rootPassword' | 'sshPort', string>> {
  const faults: ReturnType<typeof reinstallFaults> = {}
  if (!draft.osName || !draft.osVersion) faults.os = text.osRequired
  const password = machinePasswordFault(draft.rootPassword)
  if (password) faults.rootPassword = password
  if (draft.sshPort.trim() !== '') {
    const port = Number(draft.sshPort)
    if (!Number.isInteger(port) || (port !== 22 && (port < 1024 || port > 65535))) {
      faults.sshPort = '端口需为1024-65535的整数'
    }
  }
  return faults
}
