import { randomUUID } from 'node:crypto'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { Generation } from '@vps/shared/jobs'
import type { JobPayload, MachineDescription } from '@vps/shared/jobs.contract'

/** Small but complete; `change` replaces what a test needs. */
export function machine(change: Partial<MachineDescription> = {}): MachineDescription {
  return {
    hostname: 'test-1',
    cpuCores: 1,
    memoryMb: 512,
    diskGb: 2,
    bandwidthMbps: 0,
    diskIops: 0,
    diskMbPerSecond: 0,
    cpuModel: null,
    image: { id: randomUUID(), osName: 'Tiny', osVersion: '1', file: 'tiny.qcow2', sha256: null, readiness: 'ssh' },
    network: {
      mac: '52:54:00:77:00:02',
      addresses: [{ address: '10.77.0.2', prefix: 24, gateway: '10.77.0.1' }],
      prefixes: [],
      gateway: '10.77.0.1',
      dns: [],
      bridge: null,
      vlan: null,
    },
    username: 'root',
    sshPort: 2222,
    sshKeys: [],
    ...change,
  }
}

/** A job as `enqueue` takes it. */
export function order(
  serverId: string,
  payload: JobPayload,
  options: { generation?: Generation; password?: string } = {},
): Pick<ClaimedJob, 'serverId' | 'payload' | 'generation' | 'secrets'> {
  return {
    serverId,
    payload,
    generation: options.generation ?? { epoch: 1, number: 1 },
    secrets: options.password ? { password: options.password } : null,
  }
}
