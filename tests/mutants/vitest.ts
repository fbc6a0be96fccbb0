import path from 'node:path'
import type { ViteUserConfig } from 'vitest/config'

const root = path.resolve(import.meta.dirname, '../..')

/** Sees the mutants in the copy it runs in, not the packages that `node_modules` points at. */
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
