import { createHash } from 'node:crypto'
import ssh2 from 'ssh2'

/** For one generation of a guest, as OpenSSH writes it. */
export function createHostKey(): { privateKey: string; publicKey: string; fingerprint: string } {
  const { private: privateKey, public: publicKey } = ssh2.utils.generateKeyPairSync('ed25519')
  // ssh2 1.17 drops the zero byte that one public key in 256 begins with; sshd cannot read such a key.
  if (ssh2.utils.parseKey(privateKey) instanceof Error) return createHostKey()
  return { privateKey, publicKey, fingerprint: fingerprintOf(Buffer.from(publicKey.split(' ')[1] ?? '', 'base64')) }
}

/** SHA-256 of the key on the wire, Base64. */
export function fingerprintOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('base64')
}
