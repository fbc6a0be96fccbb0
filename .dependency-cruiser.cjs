// The import arrows of ARCHITECTURE.md. A rule names what is forbidden; whatever is not named is allowed.
const api = '^packages/api/src/'
const web = '^packages/web/src/'
/** What several pages share, by its noun. */
const webRooms = ['about', 'announcements', 'checkout', 'jobs', 'loading', 'servers']
const test = '\\.test\\.tsx?$|/testing/|^tests/'
/** As they are named where the API is not built, and so not there. */
const routers = '^@vps/api/(app|agent)-router$'
const domains = [
  'accounts',
  'catalogue',
  'orders',
  'wallet',
  'payments',
  'servers',
  'shop',
  'fleet',
  'findings',
  'alerts',
  'jobs',
  'console',
  'mail',
  'audit',
  'backups',
  'operations',
  'announcements',
  'fulfilment',
  'schedule',
  'secrets',
  'metrics',
  'site',
  'status',
  'remote',
  'reverse-names',
]

/** A domain may import the base, what is listed here, and itself. */
const mayImport = {
  audit: [],
  /** What somebody may have to look at, whoever has seen it. */
  findings: ['audit'],
  /** What administrators are mailed of. */
  alerts: ['findings', 'fleet', 'audit', 'mail'],
  metrics: [],
  jobs: ['audit', 'mail'],
  mail: ['audit', 'jobs'],
  wallet: ['audit', 'jobs', 'mail'],
  catalogue: ['fleet', 'audit', 'jobs', 'mail'],
  fleet: ['findings', 'metrics', 'announcements', 'reverse-names', 'audit', 'jobs', 'mail'],
  accounts: ['wallet', 'secrets', 'audit', 'jobs', 'mail'],
  payments: ['findings', 'wallet', 'site', 'audit', 'jobs', 'mail'],
  secrets: [],
  /** What addresses are called, and the name server that knows it. */
  'reverse-names': ['findings', 'secrets', 'audit'],
  /** Copies of machines' disks: their rows, schedules, and where they are kept. */
  backups: ['findings', 'fleet', 'secrets', 'audit', 'jobs'],
  servers: ['findings', 'backups', 'metrics', 'secrets', 'fleet', 'catalogue', 'audit', 'jobs', 'mail'],
  site: ['audit'],
  shop: ['fleet', 'catalogue', 'servers', 'site'],
  status: ['shop', 'orders', 'fleet', 'audit'],
  orders: ['accounts', 'fleet', 'secrets', 'shop', 'catalogue', 'wallet', 'servers', 'audit', 'jobs', 'mail'],
  remote: ['fleet', 'audit'],
  console: [
    'backups',
    'reverse-names',
    'remote',
    'metrics',
    'accounts',
    'fleet',
    'secrets',
    'orders',
    'servers',
    'catalogue',
    'audit',
    'jobs',
    'mail',
  ],
  announcements: ['audit'],
  fulfilment: [
    'findings',
    'backups',
    'remote',
    'secrets',
    'orders',
    'servers',
    'wallet',
    'fleet',
    'audit',
    'jobs',
    'mail',
  ],
  schedule: [
    'alerts',
    'findings',
    'backups',
    'reverse-names',
    'remote',
    'metrics',
    'fulfilment',
    'orders',
    'servers',
    'fleet',
    'payments',
    'accounts',
    'operations',
    'status',
    'jobs',
    'mail',
  ],
  operations: ['orders', 'servers', 'fleet', 'jobs', 'mail'],
}

const domainRules = Object.entries(mayImport).map(([domain, allowed]) => ({
  name: `arrows-of-${domain}`,
  comment: `${domain} may import ${allowed.join(', ') || 'no other domain'}.`,
  severity: 'error',
  from: { path: `${api}${domain}/`, pathNot: test },
  to: {
    path: `${api}(${domains.filter((name) => name !== domain && !allowed.includes(name)).join('|')}|http)/`,
  },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...domainRules,
    {
      name: 'base-stays-below',
      comment:
        'The base of the API (trpc, db, notifications, and the files beside them) knows no domain and no entry point.',
      severity: 'error',
      from: {
        path: `${api}(trpc/|db/|notifications/|[^/]+\\.ts$)`,
        pathNot: [test, `${api}(main|serve|build|admin|audit-main)\\.ts$`],
      },
      to: { path: `${api}(${domains.join('|')}|http)/` },
    },
    {
      name: 'http-holds-no-sql',
      comment:
        'An entry point is HTTP only: it authenticates, parses, opens the transaction, calls one command or query, shapes.',
      severity: 'error',
      from: { path: `${api}http/`, pathNot: test },
      to: { path: ['node_modules/kysely/', `${api}db/(?!tx\\.ts|client\\.ts|watch\\.ts)`] },
    },
    {
      name: 'entry-points-do-not-call-each-other',
      comment: 'REST may import the app router, what calls it and what keeps its answers; nothing else crosses.',
      severity: 'error',
      from: { path: `${api}http/([^/]+)/`, pathNot: test },
      to: {
        path: `${api}http/([^/]+)/`,
        pathNot: [`${api}http/$1/`, `${api}http/trpc/(app-router|call-procedure|kept-answers)\\.ts$`],
      },
    },
    {
      name: 'demo-calls-commands',
      comment: 'The demo is made as a shop is: by commands. It writes no SQL, and the product does not know it.',
      severity: 'error',
      from: { path: '^packages/demo/src/', pathNot: test },
      to: { path: 'node_modules/(kysely|pg)/' },
    },
    {
      name: 'nobody-knows-the-demo',
      severity: 'error',
      from: { pathNot: ['^packages/demo/', test] },
      to: { path: '^packages/demo/' },
    },
    {
      name: 'routers-belong-to-the-app-router',
      severity: 'error',
      from: { path: api, pathNot: ['app-router\\.ts$', 'http/agents/', test, 'build\\.ts$'] },
      to: { path: `${api}[^/]+/[^/]*router\\.ts$`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'shared-depends-on-zod-alone',
      severity: 'error',
      from: { path: '^packages/shared/src/', pathNot: test },
      to: { pathNot: ['^packages/shared/src/', '^node_modules/zod/'] },
    },
    {
      name: 'zod-in-contracts-alone',
      comment: 'Rules are loaded by every page; contracts only where something is checked.',
      severity: 'error',
      from: { path: '^packages/shared/src/', pathNot: ['\\.contract\\.ts$', test] },
      to: { path: ['^node_modules/zod/', '\\.contract\\.ts$'] },
    },
    {
      name: 'web-takes-types-from-the-api',
      severity: 'error',
      from: { path: '^packages/web/' },
      // The routers have types alone: no value of theirs can be imported.
      to: {
        path: ['^packages/(api|agent)/', '^@vps/(api|agent)'],
        pathNot: routers,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'agent-takes-types-from-the-api',
      severity: 'error',
      from: { path: '^packages/agent/', pathNot: test },
      to: { path: ['^packages/(api|web)/', '^@vps/(api|web)'], pathNot: routers, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'api-imports-no-client',
      severity: 'error',
      from: { path: api, pathNot: test },
      to: { path: ['^packages/(agent|web)/', '^@vps/(agent|web)'] },
    },
    {
      name: 'features-do-not-import-features',
      comment: 'What two features need goes down to ui (look), to shared (rule), or into a room of the web.',
      severity: 'error',
      from: { path: `${web}features/([^/]+)/`, pathNot: test },
      to: { path: `${web}features/`, pathNot: `${web}features/$1/` },
    },
    {
      name: 'pages-stand-in-the-shell',
      comment: 'The shell frames every page and knows none; no page knows its frame.',
      severity: 'error',
      from: { path: `${web}features/`, pathNot: test },
      to: { path: `${web}shell/` },
    },
    {
      name: 'the-shell-knows-no-page',
      severity: 'error',
      from: { path: `${web}shell/`, pathNot: test },
      to: { path: `${web}features/` },
    },
    {
      name: 'rooms-of-the-web-serve-pages',
      comment:
        'A room holds what several pages share: it knows neither a page nor the shell, and of the rooms only jobs.',
      severity: 'error',
      from: { path: `${web}(${webRooms.join('|')})/`, pathNot: test },
      to: {
        path: `${web}(features|shell|${webRooms.filter((room) => room !== 'jobs').join('|')})/`,
        pathNot: `${web}$1/`,
      },
    },
    {
      name: 'the-kit-knows-no-room',
      comment: 'What everything is drawn with knows calls and colours, and nothing of what is sold.',
      severity: 'error',
      from: { path: `${web}(ui|api|theme|forms)/`, pathNot: test },
      to: { path: `${web}(features|shell|${webRooms.join('|')})/` },
    },
    {
      name: 'execa-only-runs-virsh',
      severity: 'error',
      from: {
        path: '^packages/',
        pathNot: [
          '^packages/agent/src/hypervisor/virsh/(nbd|piped|run|sessions)\\.ts$',
          '^packages/agent/images/',
          test,
        ],
      },
      to: { path: 'node_modules/execa/' },
    },
    {
      name: 'ssh-in-few-files',
      severity: 'error',
      from: {
        path: '^packages/',
        pathNot: [
          '^packages/api/src/servers/ssh/client\\.ts$',
          '^packages/agent/src/hypervisor/ssh-proof\\.ts$',
          '^packages/agent/src/host-key\\.ts$',
          test,
        ],
      },
      to: { path: 'node_modules/(node-ssh|ssh2)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      // The routers' types exist once the API is built.
      to: { couldNotResolve: true, pathNot: routers },
    },
    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      from: { path: '^packages/', pathNot: test },
      to: { path: test },
    },
    {
      name: 'no-development-packages-in-the-product',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: [test, 'vite-env\\.d\\.ts$'] },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    // Sources, so that nothing depends on an earlier build. Type imports count, as what they are: parsed once, not before and after.
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['@vps/source', 'import', 'types', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
}
