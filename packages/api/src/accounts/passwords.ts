import { hash, verify } from '@node-rs/argon2'

/** argon2id with the OWASP minimum of 2024 (19 MiB, two passes): the library's defaults, written out because they are policy. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A PHC string of the password. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

let decoy: Promise<string> | undefined

/** Whether the password is right. With no hash (no such user) it takes as long and says no. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password')
  const right = await verify(stored ?? (await decoy), password)
  return right && stored !== null
}
