import { minify } from 'terser'
import type { Plugin } from 'vite'

/**
 * Terser's compressor over the files that many pages share, before the bundler minifies and names (decision 0144).
 */
export function compressed(files: ReadonlySet<string>): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async renderChunk(code, { name }) {
      if (!files.has(name)) return null
      const { code: smaller } = await minify(code, {
        module: true,
        ecma: 2020,
        mangle: false,
        // A function written where it is called once spares its name and costs what was alike.
        compress: { reduce_funcs: false },
      })
      return smaller === undefined ? null : { code: smaller, map: null }
    },
  }
}
