import ssh2 from 'ssh2'
import { expect, test } from 'vitest'
import { fingerprintOf, createHostKey } from './host-key.js'

// One in 170 could be read by nobody, OpenSSH included: the login was never proven.
test('every host key that is made can be read, and is the one that its fingerprint names', () => {
  const unreadable: string[] = []
  for (let n = 0; n < 2000; n += 1) {
    const { privateKey, publicKey, fingerprint } = createHostKey()
    const read = ssh2.utils.parseKey(privateKey)
    if (read instanceof Error) unreadable.push(read.message)
    else expect([fingerprintOf(read.getPublicSSH()), publicKey]).toEqual([fingerprint, publicKey])
  }
  expect(unreadable).toEqual([])
})
