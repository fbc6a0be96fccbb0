import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { firstVisits } from './build/first-visits.ts'
import { noFileCycles } from './build/no-file-cycles.ts'

const api = process.env['API_URL'] ?? 'http://127.0.0.1:3000'

/** What goes into a file together; anything else goes with the pages that use it. */
const groups = [
  // Changes only with the libraries, so a browser keeps it from release to release.
  {
    name: 'vendor',
    test: /node_modules[\\/](react|react-dom|scheduler|styled-components|stylis|@emotion|wouter|regexparam|use-sync-external-store|@tanstack|@trpc(?![\\/]client[\\/]dist[\\/](links|wsLink)))[\\/]/,
  },
  // Dialogs and menus stand on one library; a visitor's first page has neither.
  {
    name: 'overlays',
    test: /node_modules[\\/](react-aria|react-stately|@react-|@internationalized|clsx)|src[\\/]ui[\\/](Dialog|Menu|Confirm|Tip)\./,
    minShareCount: 2,
  },
  // What everything is drawn with. Nothing in here, nor in the next two, may need a file of the entry that needs it.
  {
    name: 'theme',
    test: /src[\\/](theme[\\/]|ui[\\/]heard-only\.|((brand|deadlines|records)\.|money\.ts$))|lucide-react[\\/]dist[\\/]esm[\\/](?!icons)/,
  },
  {
    name: 'kit',
    test: /src[\\/]ui[\\/](Alert|Card|Field|Money|Page|Time|copy|ssh|use-media|use-debounced)\./,
  },
  // What a configuration is, costs and may be: small files that are wanted together.
  { name: 'rules', test: /shared[\\/]src[\\/](catalogue|opening|periods|plans|pricing|servers)\.ts$/ },
  // What is chosen and sent with: a shop and a console have nearly all of it.
  {
    name: 'controls',
    test: /src[\\/](ui[\\/](BeingChecked|BottomBar|Segments|Select|Switch|checkbox-look|radio-looks)|api[\\/](until-answered|use-keyed|random))\./,
  },
  {
    name: 'lists',
    test: /src[\\/]ui[\\/](Cards|arrived|FilterSelect|PagedTable|Pager|SummaryCards|Table|Toolbar|cells|columns|order|use-filters|use-typed-search)\./,
  },
]

export default defineConfig({
  plugins: [
    react(),
    noFileCycles(),
    firstVisits({
      '/': { module: 'features/home/HomePage.tsx', budget: 135, visitors: true },
      '/sales': { module: 'features/sales/SalesPage.tsx', budget: 155, visitors: true },
      '/auth': { module: 'features/account/AuthPage.tsx', budget: 135, visitors: true },
      '/status': { module: 'features/status/StatusPage.tsx', budget: 139, visitors: true },
      '/dashboard': { module: 'features/dashboard/DashboardPage.tsx', budget: 220 },
      '/server-manage': { module: 'features/console/ConsolePage.tsx', budget: 230 },
      '/overview': { module: 'features/admin/overview/OverviewPage.tsx', budget: 250 },
    }),
  ],
  resolve: { conditions: ['@vps/source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    sourcemap: false,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Its package does not say so itself: without it the socket of those who are signed in comes with every page.
      treeshake: { moduleSideEffects: [{ test: /@trpc[\\/]/, sideEffects: false }] },
      // A word that every page shares is one definition in the sources and stands where it is said in the bundle.
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: { codeSplitting: { includeDependenciesRecursively: false, groups } },
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
