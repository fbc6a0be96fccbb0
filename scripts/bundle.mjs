// Programs as one file each: `node scripts/bundle.mjs main gateway/main` in a package makes dist/bundle/main.js and
// dist/bundle/gateway/main.js of its sources. Two thirds of a start was the loading of hundreds of modules (decision
// 0067).
import { build } from 'esbuild'

/** With files of their own (native code, SQL, pages), or not of the running program. */
const external = ['@node-rs/argon2', '@fastify/swagger-ui', 'graphile-worker', 'ssh2', 'pg-native']

const requireThere = `import { createRequire as createRequireHere } from 'node:module'
const require = createRequireHere(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname`

// Names and lines stay, so that stacks read without the map; with it (NODE_OPTIONS=--enable-source-maps) they name the
// sources.
const names = process.argv.slice(2)
await build({
  entryPoints: names.map((name) => `src/${name}.ts`),
  outdir: 'dist/bundle',
  outbase: 'src',
  bundle: true,
  splitting: false,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  conditions: ['@vps/source'],
  external,
  banner: { js: requireThere },
  sourcemap: true,
  sourcesContent: false,
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  logLevel: 'warning',
})
