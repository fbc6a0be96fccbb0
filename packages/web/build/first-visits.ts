import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Plugin, type Rolldown } from 'vite'
import { chunksOfEntry, chunksOfPage } from './chunks.ts'

type Pages = Record<string, { module: string; budget: number; visitors?: true }>

const root = fileURLToPath(new URL('.', import.meta.url))

const notForVisitors =
  /features[\\/](admin|console|dashboard|orders|wallet|payments)[\\/]|node_modules[\\/](zod|uplot)[\\/]|LineChart/

/**
 * Prints the script of each first visit. Refuses a build where a page weighs too much, or a visitor's loads what it
 * does not show.
 */
export function firstVisits(pages: Pages): Plugin {
  return {
    name: 'first-visits',
    apply: 'build',
    async writeBundle(_options, bundle) {
      const floor = weightOf([...chunksOfEntry(await helloWorld())])
      this.info(`hello world of the same stack: ${kilobytes(floor)}`)
      for (const [address, { module, budget, visitors }] of Object.entries(pages)) {
        const loaded = [...new Set([...chunksOfEntry(bundle), ...chunksOfPage(bundle, module)])]
        const weight = weightOf(loaded)
        const ratio = weight / floor
        this.info(`first visit of ${address}: ${kilobytes(weight)}, ${loaded.length} files, ${ratio.toFixed(2)} x`)
        if (weight > budget * 1000) this.error(`the first visit of ${address} may load ${budget} kB`)
        if (!visitors) continue
        const strangers = loaded.flatMap((chunk) => chunk.moduleIds).filter((id) => notForVisitors.test(id))
        if (strangers.length > 0) this.error(`the first visit of ${address} loads ${strangers.join(', ')}`)
      }
    },
  }
}

async function helloWorld(): Promise<Rolldown.RolldownOutput['output']> {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: `${root}hello-world.tsx` },
    },
  })
  if (!('output' in built)) throw new Error('the hello world was not built')
  return built.output
}

const weightOf = (chunks: Rolldown.OutputChunk[]) => chunks.reduce((sum, { code }) => sum + gzipSync(code).length, 0)

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB of script (gzip)`
