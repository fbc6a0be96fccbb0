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
  const [API_URL, ENROLMENT_TOKEN, NETWORK] = [' https://shop.example/ ', 'one-time-enrolment-token\r', 'bridge:br1 ']
  expect(readConfig({ API_URL, ENROLMENT_TOKEN, NETWORK, AGENT_TOKEN: ' ' })).toEqual(
    readConfig({ API_URL: 'https://shop.example', ENROLMENT_TOKEN: 'one-time-enrolment-token', NETWORK: 'bridge:br1' }),
  )
})

const address = 'API_URL is not valid: expected the address of the shop without a path, such as https://shop.example'

test.each([
  [{ NETWORK: 'br0' }, 'NETWORK is not valid: expected bridge:NAME or network:NAME'],
  [{ DISKS: 'lvm' }, 'DISKS is not valid: expected one of overlay, copy'],
  [{ THIN_POOL: 'vps' }, 'THIN_POOL is not valid: expected GROUP/POOL, as lvs names them'],
  [{ THIN_POOL: '-f/pool' }, 'THIN_POOL is not valid: expected GROUP/POOL, as lvs names them'],
  [{ WIPE: 'shred' }, 'WIPE is not valid: expected one of discard, overwrite, none'],
  [{ BANDWIDTH: 'yes' }, 'BANDWIDTH is not valid: expected one of on, off, auto'],
  [{ HYPERVISOR: 'vmware' }, 'HYPERVISOR is not valid: expected one of virsh, simulated'],
  [{ NODE_ENV: 'prod' }, 'NODE_ENV is not valid: expected one of production, development, test'],
  [{ API_URL: 'ftp://api' }, address],
  [{ API_URL: 'shop.example' }, address],
  [{ API_URL: 'https://shop.example/api' }, address],
  [{ API_URL: 'https://shop.example/?host=1' }, address],
  [{ API_URL: 'https://me:pass@shop.example' }, address],
  [
    { ENROLMENT_TOKEN: 'cut-short' },
    'ENROLMENT_TOKEN is not valid: expected at least 16 characters, all that the host screen has shown',
  ],
  [{ BOOT_TIMEOUT_SECONDS: '0' }, 'BOOT_TIMEOUT_SECONDS is not valid: expected a whole number from 1 to 1500'],
  [{ LANES: 'many' }, 'LANES is not valid: expected a whole number from 1 to 32'],
])('a wrong setting is refused at the start, in words that say what is expected: %o', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(new ConfigError(sentence))
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
