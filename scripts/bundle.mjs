// Programs without their hundreds of modules: `node scripts/bundle.mjs src/main.ts src/gateway/main.ts` in a package makes
// dist/bundle/main.js and dist/bundle/gateway/main.js. What is imported when first needed lies in files beside them, and is
// read then (decisions 0067 and 0072). Tests make theirs in a BUNDLE_FOLDER of their own.
import fs from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

/** With files of their own (native code, SQL, pages), or asked for by nobody here. */
const external = ['@node-rs/argon2', '@fastify/swagger-ui', 'graphile-worker', 'ssh2', 'pg-native']

const requireThere = `import { createRequire as createRequireHere } from 'node:module'
const require = createRequireHere(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname`

/** Imported, node:http makes Node load its fetch at once, whoever needs it; required, it does not (decision 0072). */
const requiredHttp = {
  name: 'required-http',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?https?$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'required' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({ contents: `module.exports = require('${path}')` }))
  },
}

/**
 * From the sources that its package brings: what it has built for older engines copies objects property by property,
 * seven times as much work for each call (decision 0153).
 */
const trpc = path.join(import.meta.dirname, '../node_modules/@trpc/server/src')

// Names and lines stay, so that stacks read without the map; with it (NODE_OPTIONS=--enable-source-maps) they name the
// sources. Parts of the build before stay, too: they are named by what is in them, and a program that still runs may ask
// for one.
const { metafile } = await build({
  entryPoints: process.argv
    .slice(2)
    .map((file) => ({ in: file, out: file.replace(/^(src|.*\/scripts)\/|\.ts$/g, '') })),
  outdir: process.env.BUNDLE_FOLDER ?? 'dist/bundle',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  conditions: ['@vps/source'],
  external,
  alias: { '@trpc/server': trpc },
  plugins: [requiredHttp],
  banner: { js: requireThere },
  sourcemap: true,
  sourcesContent: false,
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  legalComments: 'linked',
  metafile: true,
  logLevel: 'warning',
})

// One letter beyond ASCII doubles a program in memory. Other text is written as escapes, but a tagged template's is not.
for (const file of Object.keys(metafile.outputs).filter((name) => name.endsWith('.js'))) {
  const [letters] = /[^\0-\x7f]+/.exec(fs.readFileSync(file, 'utf8')) ?? []
  if (letters) throw new Error(`${file} holds ${letters}: make it a value of its template`)
}
