import { describe, expect, it } from 'vitest'
import { makePassword, makePort } from './machine-access'
import { reinstallFaults, startReinstall, type ReinstallTarget } from './reinstall'

const options = [
  { name: 'Debian', versions: ['11', '12'] },
  { name: 'Ubuntu', versions: ['22.04', '24.04'] },
]
const target: ReinstallTarget = {
  serverId: 's',
  serverName: '香港-1',
  ipAddress: null,
  osName: 'Ubuntu',
  osVersion: '22.04',
  machineSshPort: 2222,
}

describe('a reinstall', () => {
  it('starts with the current system and port', () => {
    expect(startReinstall(target, options)).toMatchObject({ osName: 'Ubuntu', osVersion: '22.04', sshPort: '2222' })
  })

  it('starts with the first system in its last version where the current one is gone', () => {
    const gone = { ...target, osVersion: '18.04' }
    expect(startReinstall(gone, options)).toMatchObject({ osName: 'Debian', osVersion: '12' })
    expect(startReinstall(gone, [])).toMatchObject({ osName: null, osVersion: null })
  })

  it('is faultless as it starts, and with whatever it generates', () => {
    for (let i = 0; i < 100; i++) {
      const draft = { ...startReinstall(target, options), rootPassword: makePassword(), sshPort: makePort() }
      expect(reinstallFaults(draft)).toEqual({})
    }
  })

  it('accepts a blank port and refuses one that is out of range', () => {
    const draft = startReinstall(target, options)
    expect(reinstallFaults({ ...draft, sshPort: ' ' })).toEqual({})
    expect(reinstallFaults({ ...draft, sshPort: '２２２２' })).toEqual({})
    expect(reinstallFaults({ ...draft, sshPort: '80' })).toEqual({ sshPort: '端口需为1024-65535的整数' })
    expect(reinstallFaults({ ...draft, osVersion: null, rootPassword: '' })).toEqual({
      os: '请选择操作系统及版本',
      rootPassword: '新密码不能为空',
    })
  })
})
