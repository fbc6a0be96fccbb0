import { expect, test } from 'vitest'
import type { OfferedImage } from '../../catalogue/queries.js'
import { describeMachine } from './describe.js'

test('a description holds the terms by name, whatever else the row has that they were read from', () => {
  const row = { diskIops: 500, diskMbPerSecond: 40, cpuModel: null, orderNumber: 'ORD-1' }
  const image: OfferedImage = {
    id: 'i',
    os_name: 'Debian',
    os_version: '12',
    file: 'debian.qcow2',
    sha256: 'a'.repeat(64),
    readiness: 'ssh',
    username: 'root',
    min_disk_gb: 1,
    firmware: 'bios',
  }
  const spec = { cpuCores: 1, memoryGb: 1, storageGb: 10, bandwidthMbps: 10, ipCount: 0 }
  const access = { hostname: 'h', mac: '52:54:00:00:00:01', sshPort: 22, username: 'root', sshKeys: [] }

  const described = describeMachine([], spec, image, access, row)

  expect(described).toMatchObject({ diskIops: 500, diskMbPerSecond: 40, cpuModel: null })
  expect(described).not.toHaveProperty('orderNumber')
})
