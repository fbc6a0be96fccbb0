import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { compressed } from './build/compressed.ts'
import { firstVisits } from './build/first-visits.ts'
import { keptBuilds } from './build/kept-builds.ts'
import { noFileCycles } from './build/no-file-cycles.ts'
import { pageFiles } from './build/page-files.ts'

const api = process.env['API_URL'] ?? 'http://127.0.0.1:3000'

/** Libraries' code for browsers without these is left out. */
const browsers = {
  'typeof window': '"object"',
  'typeof document': '"object"',
  'typeof process': '"undefined"',
  'typeof reportError': '"function"',
  'typeof AbortController': '"function"',
  'typeof queueMicrotask': '"function"',
}

const trpc = (name: string) => path.join(import.meta.dirname, '../../node_modules/@trpc', name, 'src')

const groups = [
  {
    name: 'live',
    test: /@trpc[\\/]client[\\/]src[\\/]links[\\/]wsLink|src[\\/]api[\\/](line-again-ms|live|owners-reads|paced-reads)\./,
    includeDependenciesRecursively: false,
  },
  // Changes only with the libraries, so a browser keeps it.
  {
    name: 'vendor',
    test: /node_modules[\\/](react|react-dom|scheduler|styled-components|stylis|@emotion|wouter|regexparam|use-sync-external-store|@tanstack|@trpc(?![\\/]client[\\/]src[\\/]links[\\/]wsLink))[\\/]/,
    includeDependenciesRecursively: false,
  },
  // What everything is drawn with. Nothing in here, nor in the next two, may need a file of the entry that needs it.
  {
    name: 'theme',
    test: /src[\\/](theme[\\/]|ui[\\/](heard-only|Chip)\.|((brand|deadlines|records)\.|(money|time)\.ts$))|lucide-react[\\/]dist[\\/]esm[\\/](?!icons)|icons[\\/](check|chevron-right)\.m/,
  },
  { name: 'app', test: /src[\\/]|lucide-react/, tags: ['$initial' as const] },
  // All of the screens' parts that whoever signs in needs.
  {
    name: 'fields',
    test: /src[\\/]ui[\\/](Alert|Field|address-filters|use-param)\.|icons[\\/](circle-x|eye|eye-off)\./,
  },
  {
    name: 'kit',
    test: /src[\\/]ui[\\/](Card|Facts|Lights|Middle|Money|Page|Time|copy|ssh|use-debounced|use-now|use-open)\.|shared[\\/]src[\\/](accounts|status)\.ts|icons[\\/](arrow-left|circle-question-mark)\./,
  },
  { name: 'rules', test: /shared[\\/]src[\\/](catalogue|opening|periods|plans|pricing)\.ts$/ },
  // A shop and a console have nearly all of it.
  {
    name: 'controls',
    test: /src[\\/](ui[\\/](BeingChecked|BottomBar|Segments|Select|Switch|checkbox-look|radio-looks|Tiles|TotalLine)|api[\\/](until-answered|use-choices-anew|use-keyed|random)|servers[\\/](SshKeyChoice|PortField|SystemMark|machine-access|offered-system))\.|icons[\\/](dices|minus|plus|wand-sparkles)\.m|shared[\\/]src[\\/](password|servers)\.ts$/,
  },
  // Of all who are signed in. What dialogs, menus and tips stand on comes with the first hand (`overlays-early.ts`).
  {
    name: 'signed-in',
    test: /src[\\/](ui[\\/](Dialog|Menu|Confirm|Tip|Waiting)|shell[\\/](NavMenu|UserMenu|navigation-icons|waiting)|jobs[\\/](JobWatcher|watched-jobs)|loading[\\/](overlays-early|first-hand))\.|shared[\\/]src[\\/]job-words\./,
  },
  {
    name: 'overlays',
    test: /node_modules[\\/](react-aria|react-stately|@react-|@internationalized|clsx)|src[\\/]ui[\\/](DialogFrame|MenuLayer|TipBubble|asked-words|composed-keys|required-mark)\./,
    minShareCount: 2,
  },
  {
    name: 'lists',
    test: /src[\\/]ui[\\/](Cards|arrived|FilterSelect|PagedTable|Pager|SummaryCards|Table|Toolbar|cells|columns|order|use-filters|use-typed-search)\./,
  },
  // Of the parts behind a console's first.
  {
    name: 'questions',
    test: /features[\\/]console[\\/](IsoQuestions|RescueQuestions|KeptList)\./,
    includeDependenciesRecursively: false,
  },
  // One request instead of thirty. The dialog for many comes when it is asked for.
  {
    name: 'desk',
    test: /packages[\\/](web[\\/]src[\\/](ui[\\/](?!ManyDialog|Qr)|(api|jobs|loading|features[\\/]console)[\\/]|servers[\\/](?!SshWays|ConnectDialog))|shared[\\/]src[\\/](?!.*contract|site|finding-))|lucide-react[\\/]dist[\\/]esm[\\/]icons/,
    minShareCount: 3,
  },
  // A few lines each: as files of their own their names alone weigh more, on every page.
  {
    name: 'checkout',
    test: /src[\\/]checkout[\\/](Balance|methods|renew-reason|upgrade-reason)\./,
    minShareCount: 2,
  },
  { name: 'findings', test: /shared[\\/]src[\\/]finding-(words|facts)\.|parts[\\/]facts-text\./, minShareCount: 2 },
  {
    name: 'machine',
    test: /src[\\/](servers[\\/](?!SshWays|ConnectDialog)|features[\\/]console[\\/]|ui[\\/]Spark\.)/,
    minShareCount: 2,
  },
  {
    name: 'contracts',
    test: /node_modules[\\/]zod[\\/]|shared[\\/]src[\\/](fields|money|nat|page)\.contract/,
    minShareCount: 2,
  },
  {
    name: 'forms',
    test: /node_modules[\\/](react-hook-form|@hookform)[\\/]|src[\\/]forms[\\/](resolver-of|tell-faults)/,
    minShareCount: 2,
  },
  {
    name: 'operator-forms',
    test: /features[\\/]admin[\\/]parts[\\/](Command|Conflict|Form|compared|fields|typed-)/,
    minShareCount: 2,
  },
  {
    name: 'staff',
    test: /src[\\/]features[\\/]admin[\\/]parts[\\/](?!Command|Conflict|Form|compared|facts-|fields|typed-)/,
  },
]

export default defineConfig({
  plugins: [
    react(),
    noFileCycles(),
    pageFiles(),
    compressed(new Set(groups.map(({ name }) => name))),
    keptBuilds(),
    firstVisits({
      '/': { module: 'features/home/HomePage.tsx', budget: 129, visitors: true },
      '/sales': { module: 'features/sales/SalesPage.tsx', budget: 151, visitors: true },
      '/auth': { module: 'features/account/AuthPage.tsx', budget: 129, visitors: true },
      '/status': { module: 'features/status/StatusPage.tsx', budget: 131, visitors: true },
      '/dashboard': { module: 'features/dashboard/DashboardPage.tsx', budget: 184 },
      '/server-manage': { module: 'features/console/ConsolePage.tsx', budget: 188 },
      '/overview': { module: 'features/admin/overview/OverviewPage.tsx', budget: 182 },
    }),
  ],
  resolve: {
    conditions: ['@vps/source', ...defaultClientConditions],
    // What libraries bring for React before 18.
    alias: {
      'use-sync-external-store/shim/index.js': 'react',
      // From the sources that these packages bring: what they have built for older browsers is larger (decision 0153).
      '@trpc/client': trpc('client'),
      '@trpc/react-query': trpc('react-query'),
      '@trpc/server': trpc('server'),
    },
  },
  define: browsers,
  oxc: { plugins: { styledComponents: { minify: true, displayName: false, ssr: false } } },
  build: {
    target: 'es2022',
    sourcemap: false,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Its package does not say so itself: without it the socket of the signed-in comes with every page.
      treeshake: { moduleSideEffects: [{ test: /@trpc[\\/]/, sideEffects: false }] },
      // Words of every page are defined once, and stand where they are said.
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: {
        codeSplitting: { groups },
        // Every page names all files, so a hash is as short as it may be.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // Compiled as it comes, beside what runs (V8's compile hints); else a menu's first opening waits for 300
        // functions.
        postBanner: ({ name }) => (name === 'overlays' ? '//# allFunctionsCalledOnLoad' : ''),
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
