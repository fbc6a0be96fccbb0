import { run } from './run.js'

/**
 * SHA-512 crypt(3), which every guest's libc verifies; by OpenSSL, in another process. The password goes by standard
 * input.
 */
export async function hashPassword(password: string): Promise<string> {
  return run('openssl', ['passwd', '-6', '-stdin'], { input: `${password}\n` })
}
