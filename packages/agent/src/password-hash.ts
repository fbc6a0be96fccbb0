import { hash } from 'bcryptjs'

/**
 * crypt(3) hash for the seed image. bcrypt, because every Debian, Ubuntu and RHEL family guest since 2020 verifies it
 * (libxcrypt) and it needs no program on the host. `$2y$` is the same algorithm as bcryptjs' `$2b$` under the name that
 * also cloud-init's older pattern for hashes knows.
 */
export async function hashPassword(password: string, cost: number): Promise<string> {
  return (await hash(password, cost)).replace(/^\$2[ab]\$/, '$2y$')
}
