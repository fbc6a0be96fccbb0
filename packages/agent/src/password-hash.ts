import { hash } from 'bcryptjs'

/**
 * bcrypt: libxcrypt of every Debian, Ubuntu and RHEL guest since 2020 verifies it, and no program is needed. `$2y$`,
 * bcryptjs' `$2b$`, is known to cloud-init's older pattern, too.
 */
export async function hashPassword(password: string, cost: number): Promise<string> {
  return (await hash(password, cost)).replace(/^\$2[ab]\$/, '$2y$')
}
