import type { OsOption } from '@vps/shared/catalogue.contract'
import { machinePasswordFault } from '@vps/shared/password'
import * as text from '@vps/shared/text'
import { makePassword, typedPortFault } from './machine-access'

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
  machineSshPort: number
}

/** The current system where offered, else the first in its last version. */
export function startReinstall(target: ReinstallTarget, options: OsOption[]): ReinstallDraft {
  const current = options.find(
    (option) => option.name === target.osName && option.versions.includes(target.osVersion ?? ''),
  )
  const first = options[0]
  return {
    osName: current?.name ?? first?.name ?? null,
    osVersion: current ? target.osVersion : (first?.versions.at(-1) ?? null),
    rootPassword: makePassword(),
    sshPort: String(target.machineSshPort),
    sshKeyIds: [],
  }
}

/** Field → message; a blank port keeps the server's own. */
export function reinstallFaults(draft: ReinstallDraft): Partial<Record<'os' | 'rootPassword' | 'sshPort', string>> {
  const faults: ReturnType<typeof reinstallFaults> = {}
  if (!draft.osName || !draft.osVersion) faults.os = text.osRequired
  const password = machinePasswordFault(draft.rootPassword)
  if (password) faults.rootPassword = password
  const port = typedPortFault(draft.sshPort)
  if (port) faults.sshPort = port
  return faults
}
