import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { chunksOfEntry, chunksOfPage } from './chunks.ts'

const routes = fileURLToPath(new URL('../src/routes.tsx', import.meta.url))
const pageIn = /page\('([^']+)', \(\) => import\('\.([^']+)'\)/g

/**
 * Writes `page-files.json`: the script of each page, which the API names in the HTML, so that it loads beside the
 * entry's.
 */
export function pageFiles(): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    generateBundle(_options, bundle) {
      const pages = [...readFileSync(routes, 'utf8').matchAll(pageIn)]
      if (pages.length === 0) this.error('no page was found among the routes')
      const entry = chunksOfEntry(bundle)
      const files = pages.map(([, address = '', module]) => {
        const needed = [...chunksOfPage(bundle, `src${module}.tsx`)].filter((chunk) => !entry.has(chunk))
        return [address, needed.map(({ fileName }) => `/${fileName}`)]
      })
      this.emitFile({ type: 'asset', fileName: 'page-files.json', source: JSON.stringify(Object.fromEntries(files)) })
    },
  }
}
