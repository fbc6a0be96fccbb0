import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { ConfigFault, readConfig } from './config.js'

const secret = 'pKk3vGf5o0QhZ2wq7XcN9TtYbR1sLdMe'
const good = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://vps@db/vps',
  APP_SECRET: secret,
  PUBLIC_URL: 'https://shop.example',
}
const config = (change: Record<string, string> = {}) => readConfig({ ...good, ...change })

describe('production', () => {
  test('starts with https addresses and random secrets', () => {
    expect(config({ EPAY_URL: 'https://pay.example/', EPAY_PID: '1', EPAY_KEY: 'k' })).toMatchObject({
      production: true,
    })
    for (const random of ['8f14e45fceea167a5a36dedd4bea2543', 'Zm9vYmFyYmF6cXV4cXV1eGNvcmdl'])
      config({ APP_SECRET: random })
  })

  test.each([
    ['a plain public address', { PUBLIC_URL: 'http://shop.example' }, /PUBLIC_URL must begin with https/],
    ['none at all, which would be a plain one', { PUBLIC_URL: '' }, /PUBLIC_URL must begin with https/],
    [
      'a plain gateway',
      { EPAY_URL: 'http://pay.example', EPAY_PID: '1', EPAY_KEY: 'k' },
      /EPAY_URL must begin with https/,
    ],
    [
      'a plain former gateway',
      { EPAY_FORMER_URL: 'http://pay.example', EPAY_FORMER_PID: '1', EPAY_FORMER_KEY: 'k' },
      /EPAY_FORMER_URL must begin with https/,
    ],
    ['one letter as secret', { APP_SECRET: 'a'.repeat(64) }, /APP_SECRET is too easy to guess/],
    ['a pattern as secret', { APP_SECRET: '1234567812345678' }, /APP_SECRET is too easy to guess/],
    ['a weak old secret beside a strong one', { APP_SECRET: `${secret},passwordpassword` }, /too easy to guess/],
    ['a weak token for measurements', { METRICS_TOKEN: 'metrics' }, /METRICS_TOKEN is too easy to guess/],
  ])('refuses %s', (_name, change, sentence) => {
    expect(() => config(change)).toThrow(sentence)
  })

  test('writes mails in the name of the shop’s own address where no other sender is set', () => {
    expect(config().mailFrom).toMatch(/<no-reply@shop\.example>$/)
    expect(config({ PUBLIC_URL: 'https://203.0.113.7' }).mailFrom).toMatch(/<no-reply@localhost>$/)
    expect(config({ PUBLIC_URL: 'https://[2001:db8::7]' }).mailFrom).toMatch(/<no-reply@localhost>$/)
    expect(config({ MAIL_FROM: '云舟 <hello@shop.example>' }).mailFrom).toBe('云舟 <hello@shop.example>')
  })

  test('knows its own address however it is written: cookie, policy and links stay those of https', () => {
    for (const PUBLIC_URL of ['HTTPS://Shop.Example', 'https://shop.example:443/', 'https://SHOP.example'])
      expect(config({ PUBLIC_URL }).publicUrl).toBe('https://shop.example')
    expect(config({ PUBLIC_URL: 'https://云舟.example:8443' }).publicUrl).toBe('https://xn--9kqu07j.example:8443')
  })

  test('takes all of that elsewhere', () => {
    expect(config({ NODE_ENV: '', PUBLIC_URL: '', APP_SECRET: 'a'.repeat(16) }).publicUrl).toBe('http://127.0.0.1:3000')
    expect(config({ NODE_ENV: '', PUBLIC_URL: '', HOST: '::1' }).publicUrl).toBe('http://[::1]:3000')
  })
})

describe('whatever is wrong is one sentence that begins with the name', () => {
  const elsewhere = { DATABASE_URL: good.DATABASE_URL, APP_SECRET: secret }
  const smtpUrl =
    'SMTP_URL is not a valid address, expected smtp://user:password@host:587, with signs such as #, / and ? of user and password as %23, %2F and %3F.'

  const database =
    'is not a valid address, expected postgres://user:password@host:5432/name, with signs such as #, / and ? of user and password as %23, %2F and %3F.'

  test.each([
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ DATABASE_POOL: 'many' }, 'DATABASE_POOL must be a whole number from 2 to 200.'],
    [{ DRAIN_SECONDS: '1.5' }, 'DRAIN_SECONDS must be a whole number from 0 to 300.'],
    [{ WORKERS: '0' }, 'WORKERS must be a whole number from 1 to 64.'],
    [{ WORKERS: '2', DEMO: '1' }, 'WORKERS must be 1 with DEMO=1.'],
    [{ BRAKE_PERCENT: '-1' }, 'BRAKE_PERCENT must be a whole number from 0 to 100.'],
    [{ HOST: '0.0.0.0:3000' }, 'HOST must be an address or a name without a port.'],
    [{ PUBLIC_URL: 'shop' }, 'PUBLIC_URL is not a valid address.'],
    [{ PUBLIC_URL: 'ftp://shop' }, 'PUBLIC_URL must begin with http:// or https://.'],
    [{ PUBLIC_URL: 'http://shop/?a' }, 'PUBLIC_URL must not carry a query.'],
    [{ PUBLIC_URL: 'https://shop.example/login' }, 'PUBLIC_URL must be an address without a path.'],
    [{ PUBLIC_URL: 'https://me:pass@shop.example' }, 'PUBLIC_URL must be an address without a path.'],
    [{ HOST_NAMES: 'https://agents.example' }, 'HOST_NAMES must be names without a port, comma separated.'],
    [{ HOST_NAMES: 'agents.example:8443' }, 'HOST_NAMES must be names without a port, comma separated.'],
    [{ SMTP_URL: 'mail.example:587' }, 'SMTP_URL must begin with smtp:// or smtps://.'],
    [{ SMTP_URL: 'smtp://' }, smtpUrl],
    [{ SMTP_URL: 'smtp://me:with#sign@mail.example:587' }, smtpUrl],
    [{ SMTP_URL: 'smtp://me:with/stroke@mail.example:587' }, smtpUrl],
    [{ MAIL_FROM: '云舟' }, 'MAIL_FROM must hold one address, such as Shop <no-reply@shop.example>.'],
    [
      { MAIL_FROM: 'a@shop.example, b@shop.example' },
      'MAIL_FROM must hold one address, such as Shop <no-reply@shop.example>.',
    ],
    [{ METRICS_URL: 'prometheus:9090' }, 'METRICS_URL must begin with http:// or https://.'],
    [{ METRICS_URL: 'http://prometheus/?a=b' }, 'METRICS_URL must not carry a query.'],
    [
      { METRICS_URL: 'http://me:50%zz@prometheus:9090' },
      'METRICS_URL is not a valid address: a % of its user or password is written %25.',
    ],
    [{ METRICS_WRITE_URL: 'http://mimir/api/v1/push' }, 'METRICS_WRITE_URL is of no use without METRICS_URL.'],
    [{ DATABASE_URL: ' ' }, 'DATABASE_URL is not set.'],
    [{ DATABASE_URL: 'mysql://db' }, 'DATABASE_URL must begin with postgres://.'],
    [{ DATABASE_OWNER_URL: 'db' }, `DATABASE_OWNER_URL ${database}`],
    [{ DATABASE_URL: 'postgres://shop:with#sign@db/shop' }, `DATABASE_URL ${database}`],
    [{ DATABASE_URL: 'postgres://shop:with/stroke@db/shop' }, `DATABASE_URL ${database}`],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV must be one of production, development, test.'],
    [{ NODE_ENV: 'Production' }, 'NODE_ENV must be one of production, development, test.'],
    [{ DEMO: 'yes' }, 'DEMO must be one of 1, 0, true, false.'],
    [{ APP_SECRET: ' , ' }, 'APP_SECRET is not set.'],
    [{ APP_SECRET: 'kurz' }, 'APP_SECRET must have at least 16 characters.'],
    [{ EPAY_PID: '1' }, 'EPAY_URL, EPAY_PID and EPAY_KEY belong together; one of them is not set.'],
    [
      { EPAY_FORMER_KEY: 'k' },
      'EPAY_FORMER_URL, EPAY_FORMER_PID and EPAY_FORMER_KEY belong together; one of them is not set.',
    ],
    [{ EPAY_URL: 'pay', EPAY_PID: '1', EPAY_KEY: 'k' }, 'EPAY_URL is not a valid address.'],
    [{ EPAY_URL: 'ftp://pay', EPAY_PID: '1', EPAY_KEY: 'k' }, 'EPAY_URL must begin with http:// or https://.'],
    [{ CONSOLE_ACCESS: 'all' }, 'CONSOLE_ACCESS must be one of owners, admins.'],
    [{ ALLOWED_NETWORKS: 'home' }, 'ALLOWED_NETWORKS must be networks such as 10.0.0.0/8, comma separated.'],
  ])('%j', (change, sentence) => {
    expect(() => readConfig({ ...elsewhere, ...change })).toThrow(new ConfigFault(sentence))
  })

  test.each([
    'postgres://shop:a@db1:5432,db2:5432/shop',
    'postgres://db1,db2?target_session_attrs=read-write',
    'postgres://shop@/shop?host=db1,db2',
    'postgres://shop@x/shop?host=db1%2Cdb2',
  ])('several servers, as libpq’s programs take them: %s', (DATABASE_URL) => {
    const sentence =
      'DATABASE_URL must name one server: of several, the address that leads to the one that takes changes.'
    expect(() => readConfig({ ...elsewhere, DATABASE_URL })).toThrow(new ConfigFault(sentence))
    const oneOfIts = 'postgres://shop:a,b@db/shop?options=-c search_path=a,b'
    expect(readConfig({ ...elsewhere, DATABASE_URL: oneOfIts }).databaseUrl).toBe(oneOfIts)
  })

  test.each(['nginx', 'true', '10.0.0.1,', '0.0.0.0/0', '10.0.0.0/33'])('TRUST_PROXY=%s', (TRUST_PROXY) => {
    const sentence = 'TRUST_PROXY must be addresses or networks such as 10.0.0.1 or 10.0.0.0/8, comma separated.'
    expect(() => readConfig({ ...elsewhere, TRUST_PROXY })).toThrow(new ConfigFault(sentence))
  })

  test('what Fastify takes for a proxy is taken, and the gateway’s address with the page that merchants are told', () => {
    const TRUST_PROXY = '127.0.0.1, ::1, 10.0.0.0/8, fd00::/8, loopback'
    const EPAY_URL = 'https://pay.example/submit.php?pid=1'
    const read = readConfig({ ...elsewhere, TRUST_PROXY, EPAY_URL, EPAY_PID: '1', EPAY_KEY: 'k' })
    expect([read.trustProxy.length, read.epay?.url]).toEqual([5, EPAY_URL])
    expect(() => fastify({ trustProxy: [...read.trustProxy] })).not.toThrow()
  })

  test('names, mail servers and senders of every kind are taken', () => {
    const [SMTP_URL, MAIL_FROM] = [
      'smtps://me%40shop.example:with%23sign@[::1]:465/?pool=true',
      '云舟 <hello@shop.example>',
    ]
    const HOST_NAMES = 'Agents.example, 203.0.113.7,[2001:db8::7]'
    const read = readConfig({ ...elsewhere, HOST_NAMES, SMTP_URL, MAIL_FROM, PUBLIC_URL: 'https://shop.example:8443/' })
    expect(read).toMatchObject({ publicUrl: 'https://shop.example:8443', smtpUrl: SMTP_URL, mailFrom: MAIL_FROM })
    expect(read.hostNames).toEqual(['agents.example', '203.0.113.7', '[2001:db8::7]'])
    expect(readConfig({ ...elsewhere, MAIL_FROM: 'no-reply@localhost' }).mailFrom).toBe('no-reply@localhost')
  })

  test('an empty variable is a missing one, and spaces around a value do not count', () => {
    expect(readConfig({ ...elsewhere, PORT: '', HOST: ' ', DATA_DIR: ' /srv ', DEMO: 'true' })).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: '/srv',
      demo: true,
    })
  })
})
