import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { must } from './must.js'

/** The id is part of the seal. */
export type SealedSecret = { id: string; valueEnc: string }

/**
 * At rest: `v1.{keyId}.{iv}.{tag}.{data}`, AES-256-GCM with HKDF keys from APP_SECRET's secrets: the first encrypts,
 * all decrypt. Bound to table, column and row, so copies do not open.
 */
export type Vault = {
  /** A rotated secret keeps its id. */
  seal(secret: string, id?: string): SealedSecret
  sealingKeyId: string
  open(sealed: SealedSecret): string
  /** Compares passwords that may not be kept; worthless without APP_SECRET. */
  fingerprint(secret: string): string
}

export class UnreadableSecret extends Error {
  override name = 'UnreadableSecret'
}

export function openVault(appSecrets: readonly string[]): Vault {
  const keys = appSecrets.map((secret) => ({
    id: createHash('sha256').update(`key-id:${secret}`).digest('hex').slice(0, 8),
    key: Buffer.from(hkdfSync('sha256', secret, '', 'vps-portal machine secrets v1', 32)),
  }))
  const boundTo = (id: string) => Buffer.from(`machine_secrets.value_enc.${id}`)
  const marking = Buffer.from(hkdfSync('sha256', must(appSecrets[0]), '', 'vps-portal fingerprints v1', 32))
  return {
    fingerprint: (secret) => createHmac('sha256', marking).update(secret).digest('base64url'),
    sealingKeyId: must(keys[0]).id,
    seal(secret, id = uuidv7()) {
      const { id: keyId, key } = must(keys[0])
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(boundTo(id))
      const data = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      const parts = [iv, cipher.getAuthTag(), data].map((part) => part.toString('base64url'))
      return { id, valueEnc: ['v1', keyId, ...parts].join('.') }
    },
    open({ id, valueEnc }) {
      const [version, keyId, iv, tag, data] = valueEnc.split('.')
      const key = keys.find((candidate) => candidate.id === keyId)?.key
      if (version !== 'v1' || !key || !iv || !tag || data === undefined)
        throw new UnreadableSecret('sealed with an unknown key')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'))
          .setAAD(boundTo(id))
          .setAuthTag(Buffer.from(tag, 'base64url'))
        return Buffer.concat([decipher.update(Buffer.from(data, 'base64url')), decipher.final()]).toString('utf8')
      } catch {
        throw new UnreadableSecret('the seal is broken')
      }
    },
  }
}
