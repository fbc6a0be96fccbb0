import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../../repository.js'

export const clientFolder = join(repository, 'packages/web/dist')

/**
 * A public page carries its style and the theme's script, to be read before anything is fetched; the content policy has
 * their hashes.
 */
export type PlainLook = { script: string; style: string }

/** Null where the client is not built. */
export function readPlainLook(): PlainLook | null {
  const [script, style] = [join(clientFolder, 'theme.js'), join(clientFolder, 'plain.css')]
  if (!existsSync(script) || !existsSync(style)) return null
  return { script: readFileSync(script, 'utf8'), style: readFileSync(style, 'utf8') }
}

/** As a content policy names a text. */
export const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
