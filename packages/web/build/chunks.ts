import type { Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle | Rolldown.RolldownOutput['output']

/** The wanted files, and all that these import. */
export function chunksWith(
  bundle: Bundle,
  wanted: (chunk: Rolldown.OutputChunk) => boolean,
): Set<Rolldown.OutputChunk> {
  const chunks = new Map<string, Rolldown.OutputChunk>()
  for (const file of Object.values(bundle)) if (file.type === 'chunk') chunks.set(file.fileName, file)
  const loaded = new Set<Rolldown.OutputChunk>()
  const load = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (!chunk || loaded.has(chunk)) return
    loaded.add(chunk)
    for (const name of chunk.imports) load(chunks.get(name))
  }
  for (const chunk of chunks.values()) if (wanted(chunk)) load(chunk)
  return loaded
}

/** Those without which nothing is drawn. */
export const chunksOfEntry = (bundle: Bundle): Set<Rolldown.OutputChunk> => chunksWith(bundle, ({ isEntry }) => isEntry)

/** `module` is how its source's name ends. */
export function chunksOfPage(bundle: Bundle, module: string): Set<Rolldown.OutputChunk> {
  const found = chunksWith(bundle, ({ facadeModuleId }) => facadeModuleId?.endsWith(module) ?? false)
  if (found.size === 0) throw new Error(`no file begins with ${module}`)
  return found
}
