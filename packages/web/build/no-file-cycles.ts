import type { Plugin } from 'vite'

/** Files that import each other run in an order nobody wrote: one may meet another that does not exist yet. */
export function noFileCycles(): Plugin {
  return {
    name: 'no-file-cycles',
    generateBundle(_options, bundle) {
      const done = new Set<string>()
      const walk = (name: string, above: string[]): void => {
        if (above.includes(name)) this.error(`files import each other: ${[...above, name].join(' > ')}`)
        const chunk = bundle[name]
        if (done.has(name) || chunk?.type !== 'chunk') return
        for (const imported of chunk.imports) walk(imported, [...above, name])
        done.add(name)
      }
      for (const name of Object.keys(bundle)) walk(name, [])
    },
  }
}
