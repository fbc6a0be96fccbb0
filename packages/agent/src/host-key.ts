import { createHash } from 'node:crypto'
import ssh2 from 'ssh2'

/** A new SSH host key for one generation of one guest, as OpenSSH writes it, and what it is known by. */
export function createHostKey(): { privateKey: string; publicKey: string; fingerprint: string } {
  const { private: privateKey, public: publicKey } = ssh2.utils.generateKeyPairSync('ed25519')
  // ssh2 1.17 drops the zero bytes that one public key in 256 begins with: nobody could read such a key, the guest's
  // sshd included.
  if (ssh2.utils.parseKey(privateKey) instanceof Error) return createHostKey()
  return { privateKey, publicKey, fingerprint: fingerprintOf(Buffer.from(publicKey.split(' ')[1] ?? '', 'base64')) }
}

/** Base64 of the SHA-256 of a public key as it goes over the wire. */
export function fingerprintOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('base64')
}
