import path from 'node:path'
import type { ViteUserConfig } from 'vitest/config'

const root = path.resolve(import.meta.dirname, '../..')

/** Tests that see the mutants: of the copy they run in, not of the packages that `node_modules` points at outside. */
export function mutantTests(include: string[]): ViteUserConfig {
  return {
    root,
    resolve: {
      alias: [{ find: /^@vps\/shared\/(.+)$/, replacement: path.join(root, 'packages/shared/src/$1.ts') }],
      conditions: ['@vps/source'],
    },
    test: { include },
  }
}
