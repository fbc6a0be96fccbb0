import { gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

const api = process.env['API_URL'] ?? 'http://127.0.0.1:3000'

/** Files that import each other run in an order nobody wrote: a module may meet another that does not exist yet. */
function noFileCycles(): Plugin {
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

/** Prints what a first visit loads, since that is what a visitor waits for. */
function firstVisits(pages: Record<string, string>): Plugin {
  return {
    name: 'first-visits',
    writeBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const withImports = (name: string, seen: Set<string>): Set<string> => {
        if (seen.has(name)) return seen
        seen.add(name)
        const chunk = bundle[name]
        if (chunk?.type === 'chunk') for (const imported of chunk.imports) withImports(imported, seen)
        return seen
      }
      const entry = chunks.find((chunk) => chunk.isEntry)
      if (!entry) return
      for (const [address, module] of Object.entries(pages)) {
        const page = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(module))
        const names = withImports(entry.fileName, new Set())
        if (page) withImports(page.fileName, names)
        const bytes = [...names].reduce((sum, name) => {
          const chunk = bundle[name]
          return sum + (chunk?.type === 'chunk' ? gzipSync(chunk.code).length : 0)
        }, 0)
        console.log(`first visit of ${address}: ${(bytes / 1000).toFixed(1)} kB of script (gzip), ${names.size} files`)
      }
    },
  }
}

// A top-level constant, as the TypeScript step before prints it.
const constant = /^((?:export )?const \w+ = )([\s\S]*?);$(?=\n(?![\t })\]])|\n?$(?![\s\S]))/gm

/**
 * Contracts are built by calls of zod, and a bundler must take every call for one that does something. The shared package
 * has no side effects by its own rule, so each of its constants that is made by a call is marked as pure: a page that uses
 * only the rules beside a contract (a price, a state's name) does not load zod at all.
 */
function pureContracts(): Plugin {
  const mark = (whole: string, name: string, value: string) => {
    const isFunction = /^(async )?(\w+|\([^)]*\)) =>/.test(value)
    return isFunction || !value.includes('(') ? whole : `${name}/*#__PURE__*/ (() => ${asExpression(value)})();`
  }
  // An arrow would take the brace of an object for its own.
  const asExpression = (value: string) => (value.startsWith('{') ? `(${value})` : value)
  return {
    name: 'pure-contracts',
    transform: {
      filter: { id: /packages[\\/]shared[\\/]src[\\/][^?]*$/ },
      handler: (code) => ({ code: code.replace(constant, mark), map: null }),
    },
  }
}

/**
 * Forms that check with a contract get a copy of the shared modules of their own. A module is in one file only: were the
 * contracts of a form in the file that every page takes its rules from, every page would load zod.
 */
function contractsApart(): Plugin {
  const isShared = (id: string) => /packages[\\/]shared[\\/]src[\\/]/.test(id)
  const checksWithContracts = /features[\\/](admin|account)[\\/]/
  return {
    name: 'contracts-apart',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!importer) return null
      const fromForm = checksWithContracts.test(importer) && source.startsWith('@vps/shared/')
      const fromCopy = importer.endsWith('?contracts')
      if (!fromForm && !fromCopy) return null
      const resolved = await this.resolve(source, importer.replace('?contracts', ''), { skipSelf: true })
      // A copy's own imports are copies too, up to the libraries.
      return resolved && isShared(resolved.id) ? { ...resolved, id: `${resolved.id}?contracts` } : resolved
    },
  }
}

export default defineConfig({
  plugins: [
    contractsApart(),
    pureContracts(),
    react(),
    noFileCycles(),
    firstVisits({
      '/': 'features/home/HomePage.tsx',
      '/sales': 'features/sales/SalesPage.tsx',
      '/auth': 'features/account/AuthPage.tsx',
      '/dashboard': 'features/dashboard/DashboardPage.tsx',
    }),
  ],
  resolve: { conditions: ['@vps/source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    sourcemap: false,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    // Contracts are built by pure calls of zod: a page that uses only the rules beside them need not load it.
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'zod', test: /node_modules[\\/]zod[\\/]/, priority: 3 },
            // Dialogs and menus stand on one library; a visitor's first page has neither.
            {
              name: 'overlays',
              test: /node_modules[\\/](react-aria|react-stately|@react-|@internationalized)|src[\\/]ui[\\/](Dialog|Menu|Confirm|Tip)\./,
              minShareCount: 2,
              priority: 2,
            },
            // What every page needs.
            {
              name: 'vendor',
              test: /node_modules[\\/](react|react-dom|scheduler|styled-components|wouter|regexparam|use-sync-external-store|@tanstack|@trpc)[\\/]/,
              priority: 2,
            },
            // Rules without the contracts that still carry zod.
            {
              name: 'rules',
              test: /packages[\\/]shared[\\/]src[\\/](?!password|accounts)[^?]*$/,
              minShareCount: 2,
              priority: 1,
            },
            // The kit, whole and with every icon: were only its shared parts taken, the entry and the kit would import each
            // other, and a module could run before the one it needs.
            {
              name: 'kit',
              test: /web[\\/]src[\\/](ui|api|theme)[\\/](?!Dialog|Menu|Confirm|Tip|Slider|Qr|Tiles|Facts|Table|Pager|Toolbar|use-filters|SummaryCards|order|Secret|Steps|LineChart|SalesFrame)|web[\\/]src[\\/](paths|brand)\.|lucide-react/,
              priority: 1,
            },
            // What lists are made of; no page of a visitor has one.
            {
              name: 'lists',
              test: /web[\\/]src[\\/]ui[\\/](Table|Pager|Toolbar|use-filters|SummaryCards|order|Facts)/,
              minShareCount: 2,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/trpc': { target: api, ws: true },
      '/api': api,
      '/dev': api,
    },
  },
})
