import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.js'

test('without any setting it is a real hypervisor and a local API', () => {
  const config = readConfig({})
  expect(config).toMatchObject({ apiUrl: 'http://127.0.0.1:3000', hostToken: null, lanes: 4 })
  expect(config.hypervisor).toMatchObject({
    kind: 'virsh',
    settings: { uri: 'qemu:///system', domainType: null, network: { kind: 'bridge', name: 'br0' }, bandwidth: null },
  })
})

test('a setting left blank is a missing one', () => {
  expect(readConfig({ LANES: '', NETWORK: '', DOMAIN_TYPE: '' })).toEqual(readConfig({}))
})

test('spaces around a setting do not count, as with the API', () => {
  const [API_URL, ENROLMENT_TOKEN, NETWORK] = [' https://shop.example/ ', 'token\r', 'bridge:br1 ']
  expect(readConfig({ API_URL, ENROLMENT_TOKEN, NETWORK, AGENT_TOKEN: ' ' })).toEqual(
    readConfig({ API_URL: 'https://shop.example', ENROLMENT_TOKEN: 'token', NETWORK: 'bridge:br1' }),
  )
})

test.each([
  [{ NETWORK: 'br0' }, 'NETWORK'],
  [{ DISKS: 'lvm' }, 'DISKS'],
  [{ WIPE: 'shred' }, 'WIPE'],
  [{ HYPERVISOR: 'vmware' }, 'HYPERVISOR'],
  [{ API_URL: 'ftp://api' }, 'API_URL'],
  [{ BOOT_TIMEOUT_SECONDS: '0' }, 'BOOT_TIMEOUT_SECONDS'],
])('a wrong setting is refused by name: %o', (env, name) => {
  expect(() => readConfig(env)).toThrow(new RegExp(`^${name} is not valid`))
})

test('simulated machines are refused in production and take their room from the environment elsewhere', () => {
  expect(() => readConfig({ NODE_ENV: 'production', HYPERVISOR: 'simulated' })).toThrow(ConfigError)
  expect(readConfig({ HYPERVISOR: 'simulated', SIMULATED_CPU_CORES: '8' }).hypervisor).toMatchObject({
    settings: { cpuCores: 8, memoryMb: 4 * 1024 * 1024, diskGb: 100_000 },
  })
})

test('production speaks to an API elsewhere over https alone, and images come from allowed networks', () => {
  const start = (url: string) => readConfig({ NODE_ENV: 'production', API_URL: url })
  expect(() => start('http://api.example:3000')).toThrow('API_URL must begin with https://')
  for (const url of ['https://api.example', 'http://127.0.0.1:3000', 'http://localhost:3000']) start(url)
  expect(readConfig({ ALLOWED_NETWORKS: '10.0.0.0/8, fd00::/8' }).allowedNetworks).toHaveLength(2)
  expect(() => readConfig({ ALLOWED_NETWORKS: 'ten' })).toThrow('ALLOWED_NETWORKS')
})
