import { describe, expect, test } from 'vitest'
import { forgotPasswordInput, registerInput, resetPasswordInput, signInInput } from './accounts.contract.js'
import { label, searchText } from './fields.contract.js'
import { normalized } from './normalized.js'
import { orderLabelsInput } from './orders.contract.js'
import { poolInput } from './pools.contract.js'
import { dedicatedServerInput } from './servers.contract.js'
import { siteSettings } from './site.contract.js'

const wide = (plain: string) =>
  [...plain].map((sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0)).join('')

/** As Windows' dialogs give it to the clipboard, and some web pages. */
const unseen = (plain: string) => `\u202a${plain}\u200b\ufeff `

describe.each([
  ['in wide type', wide],
  ['with marks that nobody sees', unseen],
])('what is typed or pasted %s is read as it is meant', (_, as) => {
  const [username, email, password] = ['demo_1', 'demo@example.com', 'P\u200b secret']
  const typedPassword = 'Ｐ\u200b secret'

  test('in a registration and a sign-in; a password keeps its marks, and where it is proven its form', () => {
    const typed = { username: as(username), email: as(email), password: typedPassword }
    expect(registerInput.parse(typed)).toEqual({ username, email, password })
    expect(signInInput.parse(typed)).toEqual({ username, password: typedPassword })
  })

  test('in a forgotten password', () => {
    expect(forgotPasswordInput.parse({ email: as(email) })).toEqual({ email })
    const code = { email: as(email), verificationCode: as('012345'), newPassword: typedPassword }
    expect(resetPasswordInput.parse(code)).toEqual({ email, verificationCode: '012345', newPassword: password })
  })

  test('in addresses of a pool', () => {
    const pool = {
      name: 'p',
      network: as('10.0.0.0/24'),
      gateway: as('10.0.0.1'),
      dns: [as('10.0.0.2')],
      nat: { address: as('203.0.113.7'), firstPort: 20_000, ports: 20 },
    }
    expect(poolInput.parse(pool)).toMatchObject({
      network: '10.0.0.0/24',
      gateway: '10.0.0.1',
      dns: ['10.0.0.2'],
      nat: { address: '203.0.113.7' },
    })
  })

  test('in the address that customers write to', () => {
    expect(siteSettings.shape.email.parse(as(email))).toBe(email)
  })

  test('in the address of a dedicated server', () => {
    expect(dedicatedServerInput.shape.ip.parse(as('203.0.113.9'))).toBe('203.0.113.9')
  })
})

test('what is searched is read without marks around it that nobody sees, but for those within', () => {
  expect(searchText.parse('\u202a V261027AAAAAAAAAA\u200b\t')).toBe('V261027AAAAAAAAAA')
  expect(searchText.parse('香港（👩\u200d💻）')).toBe('香港（👩\u200d💻）')
})

test('a name is one line and turns nothing of what follows: it stands in subjects of mails, in titles and rows', () => {
  const typed = ' web\r\nBcc: x\u2028\u0085two\t1\u001b]0;\u202e\u2066 \u{1F468}\u200d\u{1F4BB}\n'
  expect(label.parse(typed)).toBe('web Bcc: x two 1 ]0; \u{1F468}\u200d\u{1F4BB}')
  const labels = ['a\nb', 'a\r\nb', '\u202ec']
  const id = '0198c0de-0000-7000-8000-000000000001'
  expect(orderLabelsInput.parse({ id, labels }).labels).toEqual(['a b', 'c'])
  expect(label.safeParse('\n\u202e').success).toBe(false)
})

test('what is far too long for any field is refused without being looked through for its ends', () => {
  // Looking for blanks at the end takes the square of those within.
  const blanks = `x${'\u200b\n'.repeat(60_000)}x`
  expect(searchText.safeParse(` ${blanks} `).error?.issues.map(({ message }) => message)).toEqual(['最多 100 个字符'])
  const places = `x${' \t'.repeat(60_000)}x,1,2`
  expect(siteSettings.shape.places.safeParse(places).error?.issues.map(({ message }) => message)).toEqual([
    '最多 4000 个字符',
  ])
})

test('what is far too long for any field is refused without being normalised', () => {
  const marks = `a${'\u0301\u0316'.repeat(60_000)}`
  expect(normalized(marks)).toBe(marks)
  const typed = { username: marks, email: marks, password: marks }
  expect(registerInput.safeParse(typed).error?.issues.map(({ path }) => path[0])).toEqual([
    'username',
    'email',
    'email',
    'password',
  ])
})
